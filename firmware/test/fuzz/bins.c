/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/fuzz/bins.h"

#include <ctype.h>
#include <stdio.h>

#include "protocols/tcp/tcp_private.h"
#include "test/fuzz/steps/steps.h"
#include "test/host/peer.h"
#include "test/host/wire.h"
#include "xkernel/byteorder.h"

static const char *const names[BINS] = {
#define BIN(name) #name,
	SEGMENT_BINS(BIN) USER_BINS(BIN) RPC_BINS(BIN)
#undef BIN
};
static const char *const kinds[STEPS] = {
	[STEP_WAIT] = "wait",
	[STEP_TCP] = "tcp",
	[STEP_USER] = "user",
	[STEP_UDP] = "udp",
	[STEP_ICMP] = "icmp",
	[STEP_ARP] = "arp",
	[STEP_FRAGMENT] = "fragment",
	[STEP_BLAST] = "blast",
	[STEP_CHAN] = "chan",
	[STEP_LONG_CHAN] = "long_chan",
	[STEP_BIDCTL] = "bidctl",
	[STEP_CALL] = "call",
	[STEP_RAW] = "raw",
	[STEP_MEMORY] = "memory",
	[STEP_TWISTED_TCP] = "twisted_tcp",
	[STEP_UDP_USER] = "udp_user",
	[STEP_LAYER_USER] = "layer_user",
};
static uint64_t counts[BINS], steps[STEPS];

void bin(enum bin which)
{
	counts[which]++;
}

void bins_of_step(enum step kind)
{
	steps[kind]++;
}

/* The connection of the conversation that is on; NULL: the machine has none. */
static const struct tcp *connection(void)
{
	uint32_t ports = swap16(peer_port) | swap16(kernel_port) << 16;
	uint64_t key = tcp_key(swap32(0x0a000000u + peer_number), ports);
	const struct tcp_protocol *p = kernel_object("tcp")->state;

	for (uint64_t i = 0; p->active.buckets && i <= p->active.mask; i++)
		for (const struct map_entry *e = p->active.buckets[i].first; e; e = e->next) {
			const struct tcp *t = ((const struct xobj *)e->value)->state;

			if (t->key == key)
				return t;
		}
	return NULL;
}

static void bins_of_flags(const struct tcp *t, uint32_t flags, uint32_t bytes)
{
	if (flags & R)
		bin(BIN_RESET);
	else if (flags & S)
		bin(!(flags & A) ? BIN_SYN : BIN_SYN_ACK);
	else if (flags & F)
		bin(bytes ? BIN_FIN_WITH_TEXT : BIN_FIN_ALONE);
	else
		bin(bytes ? BIN_TEXT : BIN_ACK_ALONE);
	if ((flags & S) && (flags & A) && bytes && t && t->state == TCP_SYN_SENT)
		bin(BIN_SYN_ACK_WITH_TEXT);
}

static void bins_of_ack(const struct tcp *t, uint32_t ack)
{
	if (seq_lt(t->send_max, ack))
		bin(BIN_ACKS_TOO_MUCH);
	else if (seq_leq(ack, t->send_una))
		bin(BIN_ACKS_NOTHING);
	else
		bin(ack == t->send_max ? BIN_ACKS_ALL : BIN_ACKS_A_PART);
	if (!peer_window)
		bin(BIN_WINDOW_SHUTS);
	else if (peer_window < t->segment_max)
		bin(BIN_WINDOW_IS_SMALL);
}

/* While the window is shut, with the user's room not promised; or open, and the segment is too
 * long. */
static void bins_of_window(const struct tcp *t, uint32_t flags, uint32_t offset, uint32_t bytes)
{
	uint32_t promised = t->receive_advertised - t->receive_next;

	if (promised == 0 && offset == 0 && (flags & F) && !bytes)
		bin(BIN_SHUT_FIN);
	if (promised == 0 && offset == 0 && bytes) {
		if (!t->receive_space)
			bin(BIN_SHUT_FULL);
		else
			bin(bytes == 1 ? BIN_SHUT_PROBE_INTO_ROOM : BIN_SHUT_LONGER_INTO_ROOM);
	}
	if (promised && offset + bytes > promised && offset < promised &&
	    t->receive_space > promised)
		bin(BIN_OVER_THE_PROMISE);
	if (offset > promised && offset > t->receive_space)
		bin(flags & R ? BIN_RESET_FAR_AWAY : BIN_BEYOND_THE_WINDOW);
}

static void bins_of_place(const struct tcp *t, uint32_t sequence, uint32_t bytes)
{
	const struct tcp_early *e = t->early;

	if (!bytes)
		return;
	if (seq_lt(sequence, t->receive_next)) {
		bin(seq_leq(sequence + bytes, t->receive_next) ? BIN_OLD : BIN_PARTLY_OLD);
	} else if (sequence == t->receive_next) {
		bin(BIN_IN_ORDER);
		if (e && seq_leq(e->sequence, sequence + bytes))
			bin(BIN_CLOSES_A_HOLE);
		if (e && seq_lt(e->sequence + e->bytes, sequence + bytes))
			bin(BIN_CLOSES_A_HOLE_AND_GOES_ON);
	} else {
		bin(BIN_EARLY);
		for (; e; e = e->next)
			if (seq_lt(sequence, e->sequence) &&
			    seq_lt(e->sequence + e->bytes, sequence + bytes)) {
				bin(BIN_EARLY_OVER_EARLY);
				return;
			}
	}
}

void bins_of_segment(uint32_t flags, uint32_t sequence, uint32_t ack, uint32_t bytes)
{
	const struct tcp *t = connection();

	bins_of_flags(t, flags, bytes);
	if (!t || t->state < TCP_ESTABLISHED)
		return;
	sequence += peer_initial;
	bins_of_ack(t, ack + kernel_initial);
	if (t->state != TCP_ESTABLISHED && t->state != TCP_FIN_WAIT_1 && t->state != TCP_FIN_WAIT_2)
		return;
	bins_of_window(t, flags, sequence - t->receive_next, bytes);
	bins_of_place(t, sequence, bytes);
}

void bins_print(enum live what)
{
	for (int i = 0; i < STEPS; i++)
		if (live_belongs((enum step)i, what))
			printf("bin step %s %llu\n", kinds[i], (unsigned long long)steps[i]);
	for (int i = 0; i < BINS; i++) {
		if ((i >= BIN_ASKS_FOR_OURS_AGAIN) != (what == LIVE_RPC))
			continue;
		printf("bin ");
		for (const char *c = names[i]; *c; c++)
			putchar(*c == '_' ? ' ' : tolower(*c));
		printf(" %llu\n", (unsigned long long)counts[i]);
	}
}
