/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP (RFC 793, 1122; congestion control as in BSD Tahoe). See docs/reference/protocols/tcp.md.
 *
 * Participants: on top a uint16_t port in host order, below what IP wants. The local participant
 * may be empty: any port. xOpen blocks until the connection is established; it must come from a
 * thread.
 *
 * A session that has been passively opened is shown to the receiver by xOpenDone; who wants to keep
 * it duplicates it. Data comes up by xDemux in order. The receive window shrinks by what has come
 * up, until the receiver restores it with TCP_SET_RECEIVE_SPACE. Giving back the last reference
 * closes: after that the receiver hears no more of the session but one xCloseDone. An upcall that
 * has not returned holds a reference too: while one is blocked, a close in another waits for it.
 *
 * xOpenDisable resets the connections of its port that have not become established. */
#pragma once

#include "xkernel/percpu/count.h"
#include "xkernel/upi.h"

enum tcp_control {
	TCP_SET_RECEIVE_SPACE = 600, /* uint32_t: bytes the receiver can take, up to the size */
	TCP_SET_RECEIVE_SIZE = 601,  /* uint32_t: largest window we shall ever offer or take */
	TCP_SET_SEND_SIZE = 602,     /* uint32_t: xPush blocks above so many unacknowledged */
	TCP_GET_STATE = 603,	     /* uint32_t, enum tcp_state */
	TCP_SET_NO_DELAY = 604,	     /* uint32_t: 1: small segments need not wait for an ACK */
	TCP_SHUTDOWN = 605,	     /* no data: we send no more but go on receiving */
	TCP_ABORT = 606,	     /* no data: RST */
	TCP_SET_KEEPALIVE =
	    607, /* uint32_t: seconds of silence until the peer is probed; 0: never */
};

enum tcp_state {
	TCP_CLOSED,
	TCP_LISTEN,
	TCP_SYN_SENT,
	TCP_SYN_RECEIVED,
	TCP_ESTABLISHED,
	TCP_CLOSE_WAIT,
	TCP_FIN_WAIT_1,
	TCP_CLOSING,
	TCP_LAST_ACK,
	TCP_FIN_WAIT_2,
	TCP_TIME_WAIT,
};

int tcp_init(struct xobj *self);

struct tcp_counts {
	/* dropped without an answer */
	uint64_t too_short, bad_checksum, bad_offset, not_ours, no_memory, no_ack_flag;
	uint64_t reset_outside_window;
	uint64_t half_open_evicted;
	/* answered */
	uint64_t resets_sent, acks_of_unsent, duplicates, beyond_window, syn_in_window;
	uint64_t after_close; /* data for a user who has gone */
	/* what happened */
	uint64_t segments_received, segments_sent, pure_acks_sent;
	uint64_t out_of_order, reassembly_full;
	uint64_t delayed_acks_sent; /* by the 200 ms timer */
	uint64_t retransmit_timeouts, fast_retransmits, persist_probes, window_updates;
	uint64_t connections_opened, connections_accepted, connections_dropped;
	uint64_t transmit_full; /* segments that found the transmit ring full: as if lost */
} OWN_BLOCK;
extern struct tcp_counts tcp_counts PER_CPU;
