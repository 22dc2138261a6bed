/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/fuzz/steps/conversations.h"

#include "test/fuzz/steps/known.h"
#include "test/host/peer.h"

enum { NETWORK = 0x0a000000, FIRST_PEER = 2 };

static struct conversation {
	uint32_t peer_initial, kernel_initial, peer_next, kernel_next, edge;
	uint16_t kernel_port;
} all[CONVERSATIONS];
static unsigned now;
static uint16_t listener; /* 0: not begun */

static void load(unsigned n)
{
	const struct conversation *c = &all[n];

	now = n;
	peer_number = (uint8_t)(FIRST_PEER + n % PEERS);
	peer_port = (uint16_t)(CONVERSATION_PORT + n);
	kernel_port = c->kernel_port;
	peer_initial = c->peer_initial;
	kernel_initial = c->kernel_initial;
	known.peer_next = c->peer_next;
	known.kernel_next = c->kernel_next;
	known.edge = c->edge;
}

void conversations_begin(uint16_t port)
{
	listener = port;
	for (unsigned n = 0; n < CONVERSATIONS; n++) {
		load(n);
		conversation_anew(n << 24);
	}
	load(0);
}

unsigned conversation_now(void)
{
	return now;
}

void converse(unsigned n)
{
	struct conversation *c = &all[now];

	if (!listener || n == now)
		return;
	c->kernel_port = kernel_port;
	c->peer_initial = peer_initial;
	c->kernel_initial = kernel_initial;
	c->peer_next = known.peer_next;
	c->kernel_next = known.kernel_next;
	c->edge = known.edge;
	load(n);
}

void conversation_anew(uint32_t initial)
{
	struct conversation *c = &all[now];

	*c = (struct conversation){ .peer_initial = initial, .kernel_port = listener };
	load(now);
}

int conversation_of(uint32_t host, uint32_t port)
{
	uint32_t n = port - CONVERSATION_PORT;

	return n < CONVERSATIONS && host == NETWORK + FIRST_PEER + n % PEERS ? (int)n : -1;
}

unsigned converse_with(const uint8_t *ip)
{
	unsigned before = now;
	int n = conversation_of(known_get(ip + 16, 4), known_get(ip + 22, 2));

	if (listener && n >= 0)
		converse((unsigned)n);
	return before;
}
