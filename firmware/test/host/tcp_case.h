/* SPDX-License-Identifier: BSD-2-Clause */
/* The environment of a case that talks TCP, or anything else of the TCP stack. */
#pragma once

#include <string.h>

#include "platform/host/host.h"
#include "protocols/tcp/tcp.h"
#include "test/host/case.h"
#include "test/host/peer.h"
#include "test/host/user.h"
#include "test/host/wire.h"
