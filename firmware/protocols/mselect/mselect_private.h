/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/mselect/mselect.h"
#include "xkernel/byteorder.h"
#include "xkernel/map/map.h"
#include "xkernel/thread/idle.h"

struct mselect_header {
	uint32_t id, status;
} __attribute__((may_alias));

enum { MSELECT_OK = 1 << 24, MSELECT_FAIL = 2 << 24 }; /* as loaded: big-endian */

struct mselect {
	struct map active;  /* {lower session, id} -> server's session */
	struct map passive; /* id -> struct passive_enable */
	struct idle_collector idle;
};

struct mselect_session {
	uint32_t id; /* as on the wire */
	uint64_t key[2];
};

int mselect_call(struct xobj *session, struct msg *m, struct msg *reply);
int mselect_call_demux(struct xobj *self, struct xobj *lower, struct msg *m, struct msg *reply);
int mselect_call_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header,
		     struct msg *reply);
void mselect_session_destroy(struct xobj *session);

/* With XK_FAST: mselect_fast.h, and what it shares with the general way. */
int mselect_fast_call(struct xobj *session, struct msg *m, struct msg *reply);
void mselect_fast_serve(struct xobj *session);
int mselect_fail(uint32_t id, struct msg *reply);

extern const struct xobj_ops mselect_client_ops, mselect_server_ops;
