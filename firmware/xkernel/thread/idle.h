/* SPDX-License-Identifier: BSD-2-Clause */
/* Cached sessions: ETH, VNET and IP keep a session when nobody refers to it, because the next
 * message will want it; a collector destroys those that were idle for one whole period. */
#pragma once

#include "xkernel/map/map.h"
#include "xkernel/thread/event.h"
#include "xkernel/upi.h"

enum { IDLE_PERIOD_US = 20000000, IDLE_MAX_SESSIONS = 64 };

struct idle_collector {
	struct map *sessions;		       /* values are struct xobj * */
	void (*destroy)(struct xobj *session); /* refs is 0; the map entry goes by itself */
	struct event event;
};

void idle_start(struct idle_collector *c, struct map *sessions, void (*destroy)(struct xobj *));
/* Room for one more session? Destroys unreferenced ones at once if the map is full. */
int idle_make_room(struct idle_collector *c);
