/* SPDX-License-Identifier: BSD-2-Clause */
/* The environment of a case that talks TCP, or anything else of the TCP stack. */
#pragma once

#include <string.h>

#include "platform/host/host.h"
#include "protocols/tcp/tcp.h"
#include "test/case.h"
#include "test/peer.h"
#include "test/user.h"
#include "test/wire.h"
