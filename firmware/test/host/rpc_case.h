/* SPDX-License-Identifier: BSD-2-Clause */
/* The environment of a case of the RPC stack. */
#pragma once

#include <string.h>

#include "platform/host/host.h"
#include "test/caller.h"
#include "test/case.h"
#include "test/peer.h"
#include "test/rpc_peer.h"
#include "test/wire.h"
