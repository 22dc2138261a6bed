/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/fuzz/steps/steps.h"

#include <string.h>

#include "platform/host/host.h"
#include "protocols/blast/blast.h"
#include "test/fuzz/steps/acts.h"
#include "test/host/peer.h"
#include "test/host/users.h"

enum { LAYERS = 6, FIRST_WITH_CALLS = 4, SESSIONS = 4, MAX_BYTES = 65 * 1456, PEER = 0x0a000002 };

static const char *const names[LAYERS] = { "eth", "ip", "blast", "bid", "chan", "mselect" };
static struct xobj *self_protocol, *open_ones[SESSIONS];
static int layer_of[SESSIONS];
static uint8_t enabled[LAYERS], refuses, echoes;
static int made_calls;

static int layeruser_demux(struct xobj *, struct xobj *session, struct msg *m)
{
	return echoes ? xPush(session, m) : XK_OK;
}

static int layeruser_call_demux(struct xobj *, struct xobj *, struct msg *m, struct msg *reply)
{
	if (refuses)
		return XK_ERROR;
	msg_share(reply, m);
	return XK_OK;
}

static int layeruser_open_done(struct xobj *, struct xobj *, struct xobj *)
{
	return refuses ? XK_ERROR : XK_OK;
}

USER_PROTOCOL(layeruser, .demux = layeruser_demux, .call_demux = layeruser_call_demux,
	      .open_done = layeruser_open_done)

static void open_one(const uint8_t *b)
{
	static const uint32_t hosts[] = { PEER, 0x0a000001, 0x0a000009, 0x0b000001 };
	static const uint8_t macs[][6] = { { 8, 0, 0x2b, 0, 0, 2 }, { 8, 0, 0x2b, 0, 0, 1 } };
	int n = b[3] % LAYERS, at = b[2] % SESSIONS;
	struct part parts[2];

	parts_init(parts);
	if (n == 0 && b[5] != 1)
		part_push(&parts[0], macs[b[4] % 2], sizeof macs[0]);
	else if (b[5] != 1)
		part_push(&parts[0], &hosts[b[4] % 4], sizeof hosts[0]);
	if (n == 1 && b[5] == 2)
		part_push(&parts[1], &hosts[b[4] / 4 % 4], sizeof hosts[0]);
	made_calls |= n >= FIRST_WITH_CALLS;
	struct xobj *session = xOpen(self_protocol, self_protocol, kernel_object(names[n]), parts);
	if (session && open_ones[at]) {
		xClose(session);
	} else if (session) {
		open_ones[at] = session;
		layer_of[at] = n;
	}
}

static void close_one(const uint8_t *b)
{
	struct xobj *session = open_ones[b[2] % SESSIONS];

	open_ones[b[2] % SESSIONS] = NULL;
	if (session)
		xClose(session);
}

/* Or calls, where there are calls. */
static void push_one(const uint8_t *b)
{
	static const uint8_t data[MAX_BYTES];
	struct xobj *session = open_ones[b[2] % SESSIONS];
	size_t bytes = (size_t)(b[3] << 8 | b[4]) * (b[5] & 1 ? 2 : 1) % (MAX_BYTES + 1);
	struct msg m, reply;
	int32_t handle;

	if (!session || msg_init_copy(&m, data, bytes))
		return;
	xDuplicate(session);
	if (layer_of[b[2] % SESSIONS] >= FIRST_WITH_CALLS) {
		msg_init_empty(&reply);
		xCall(session, &m, &reply);
		msg_destroy(&reply);
	} else {
		handle = xPush(session, &m);
		if (handle > 0 && b[5] & 2)
			xControl(session, BLAST_FREE, &handle, sizeof handle);
	}
	xClose(session);
	msg_destroy(&m);
}

static void enable_one(const uint8_t *b)
{
	int n = b[3] % LAYERS;

	if (b[2] & 1) {
		if (!xOpenDisable(self_protocol, self_protocol, kernel_object(names[n]), NULL))
			enabled[n] = 0;
	} else if (!xOpenEnable(self_protocol, self_protocol, kernel_object(names[n]), NULL)) {
		enabled[n] = 1;
	}
}

/* An answer or an error, nothing else. What has pointers in it is larger than the buffers here. */
static void control_one(const uint8_t *b)
{
	static const int operations[] = { 100,	101,  102,  103,  700,	801,  1300, 1500,
					  1501, 1502, 2200, 2201, 2202, 2203, 2205, 9999 };
	uint64_t buffer[4] = { b[6], 0, 0, 0 };
	struct xobj *to = open_ones[b[2] % SESSIONS];

	if (to)
		xControl(to, operations[b[4] % 16], buffer, b[5] % 3 * 4u);
}

static void answer(const uint8_t *b)
{
	refuses = b[2] & 1;
	echoes = b[2] >> 1 & 1;
}

static const struct acts acts = { open_one, close_one, push_one, enable_one, answer, control_one };

void layer_user_step(const uint8_t *step)
{
	act(&acts, step);
}

void layer_user_ends(void)
{
	for (uint8_t i = 0; i < SESSIONS; i++)
		layer_user_step((const uint8_t[16]){ 0, 2, i });
	for (uint8_t i = 0; i < LAYERS; i++)
		if (enabled[i])
			layer_user_step((const uint8_t[16]){ 0, 5, 1, i });
}

int layer_user_made_calls(void)
{
	return made_calls;
}
