/* SPDX-License-Identifier: BSD-2-Clause */
/* The environment of a case of the RPC stack. */
#pragma once

#include <string.h>

#include "platform/host/host.h"
#include "test/host/caller.h"
#include "test/host/case.h"
#include "test/host/peer.h"
#include "test/host/rpc_peer.h"
#include "test/host/wire.h"
