/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/host/invariants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "protocols/tcp/tcp_private.h"
#include "test/host/right_edge.h"
#include "xkernel/graph.h"

/* Sequence numbers that a FIN or SYN takes, besides the data. */
static uint32_t flags_under_way(const struct tcp *t)
{
	return t->state < TCP_ESTABLISHED || t->fin_sent;
}

static int fin_is_due(const struct tcp *t)
{
	return !t->fin_sent &&
	       (t->state == TCP_FIN_WAIT_1 || t->state == TCP_CLOSING || t->state == TCP_LAST_ACK);
}

/* An upcall that pushes into a full queue waits in the middle of a pop, which sends when it ends.
 * Until then it is the timer of delayed ACKs that sends: within 200 ms. */
static int is_within_an_upcall(const struct tcp *t)
{
	return t->waiting_room && t->ack_delayed;
}

/* Silence would be for ever: nobody else will move the connection on. */
static const char *timer_fault(const struct tcp *t)
{
	int retransmits = t->timer[TCP_RETRANSMIT] != 0, persists = t->timer[TCP_PERSIST] != 0;

	if (retransmits && persists)
		return "both RETRANSMIT and PERSIST run";
	if (retransmits && t->queue.bytes && !t->send_window)
		return "data are sent again into a closed window, which must be probed";
	if (!retransmits && !persists && t->state != TCP_TIME_WAIT) {
		if (t->send_una != t->send_max)
			return "unacknowledged data and neither RETRANSMIT nor PERSIST";
		if ((t->queue.bytes && !is_within_an_upcall(t)) || fin_is_due(t))
			return "unsent data and neither RETRANSMIT nor PERSIST";
	}
	if (t->state < TCP_ESTABLISHED && !t->timer[TCP_KEEP])
		return "an open without end";
	if (t->state == TCP_TIME_WAIT && !t->timer[TCP_WAIT])
		return "TIME_WAIT without end";
	if (t->state == TCP_FIN_WAIT_2 && t->user_closed && !t->timer[TCP_WAIT])
		return "FIN_WAIT_2 without end, and nobody receives";
	return NULL;
}

static const char *send_fault(const struct tcp *t)
{
	uint32_t bytes = 0, chunks = 0;

	for (const struct tcp_chunk *c = t->queue.first; c; c = c->next) {
		bytes += (uint32_t)msg_bytes(&c->msg);
		chunks++;
	}
	if (bytes != t->queue.bytes || chunks != t->queue.chunks || chunks > TCP_MAX_CHUNKS)
		return "the send queue's counts";
	if (seq_lt(t->send_next, t->send_una) || seq_lt(t->send_max, t->send_next))
		return "send_una, send_next, send_max are not in order";
	if (t->send_max - t->send_una > bytes + flags_under_way(t))
		return "more is under way than was queued";
	return NULL;
}

static const char *receive_fault(const struct tcp *t)
{
	uint32_t count = 0;

	if (t->state > TCP_SYN_SENT && seq_lt(t->receive_advertised, t->receive_next))
		return "more has come than was offered";
	if (t->receive_space > t->receive_size)
		return "more room to receive than there is";
	for (const struct tcp_early *e = t->early; e; e = e->next) {
		count++;
		if (e->bytes != msg_bytes(&e->msg) || !(e->bytes + e->fin))
			return "an early segment's bytes";
		if (e->next && seq_lt(e->next->sequence, e->sequence + e->bytes + e->fin))
			return "early segments overlap or are not in order";
	}
	if (count != t->early_count || count > TCP_MAX_EARLY)
		return "the number of early segments";
	return NULL;
}

static const char *fault_of(const struct tcp *t)
{
	const char *fault = timer_fault(t);

	if (t->state <= TCP_LISTEN)
		return "a connection that is closed is in the map";
	if (t->passive && t->state != TCP_SYN_RECEIVED)
		return "half open, and beyond it";
	if (!fault)
		fault = send_fault(t);
	return fault ? fault : receive_fault(t);
}

static void report(const char *what, const struct tcp *t)
{
	fprintf(stderr, "TCP invariant: %s (at %.3f ms", what,
		(double)plat_ticks() / 1000 / (double)plat_boot()->ticks_per_us);
	if (t)
		fprintf(stderr, ", key %#llx, state %u, unacknowledged %u, queued %u, window %u",
			(unsigned long long)t->key, (unsigned)t->state, t->send_max - t->send_una,
			t->queue.bytes, t->send_window);
	fprintf(stderr, ")\n");
	exit(1);
}

/* Not by map_for_each, which tidies the map up as it goes. */
static void check_all(const struct tcp_protocol *p)
{
	uint32_t half_open = 0;

	right_edge_begin();
	for (uint64_t i = 0; p->active.buckets && i <= p->active.mask; i++)
		for (const struct map_entry *e = p->active.buckets[i].first; e; e = e->next) {
			struct xobj *session = e->value;
			const struct tcp *t = session->state;
			const char *fault = fault_of(t);

			if (!fault)
				fault = right_edge_fault(session);
			if (fault)
				report(fault, t);
			half_open += t->passive;
		}
	right_edge_end();
	if (half_open != p->half_open || half_open > TCP_MAX_HALF_OPEN)
		report("the number of half-open connections", NULL);
}

__attribute__((weak)) void connections_refresh(void)
{
}

void tcp_invariants(void)
{
	connections_refresh();
	for (size_t g = 0; g < graph_count; g++)
		for (size_t i = 0; i < graph_table[g].count; i++) {
			const struct graph_node *n = &graph_table[g].nodes[i];

			if (!strcmp(n->name, "tcp") && n->object && n->object->state)
				check_all(n->object->state);
		}
}
