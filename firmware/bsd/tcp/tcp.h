/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP for whoever starts the stack and for programs: states, settings, counters. */
#ifndef BSD_TCP_H
#define BSD_TCP_H

#include "bsd/socket/socket.h"

enum tcps { /* by the numbers of BSD */
	    TCPS_CLOSED,
	    TCPS_LISTEN,
	    TCPS_SYN_SENT,
	    TCPS_SYN_RECEIVED,
	    TCPS_ESTABLISHED,
	    TCPS_CLOSE_WAIT,
	    TCPS_FIN_WAIT_1,
	    TCPS_CLOSING,
	    TCPS_LAST_ACK,
	    TCPS_FIN_WAIT_2,
	    TCPS_TIME_WAIT,
};

struct tcpstat {
	/* dropped without an answer */
	uint64_t too_short, bad_checksum, bad_offset, not_ours, bad_source, no_memory, no_ack_flag;
	uint64_t reset_outside_window;
	/* answered */
	uint64_t resets_sent, acks_of_unsent, duplicates, beyond_window, syn_in_window;
	uint64_t after_close; /* data for a program that has closed */
	/* what happened */
	uint64_t segments_received, segments_sent, pure_acks_sent;
	uint64_t out_of_order, reassembly_full;
	uint64_t delayed_acks_sent; /* by the 200 ms timer */
	uint64_t retransmit_timeouts, fast_retransmits, persist_probes, keepalive_probes;
	uint64_t window_updates;
	uint64_t connections_opened, connections_accepted, connections_dropped;
	uint64_t given_up;	/* by keep-alive */
	uint64_t transmit_full; /* segments that found no room below: as if lost */
	uint64_t pcb_cache_misses;
	uint64_t predicted_acks, predicted_data;
};
extern struct tcpstat tcpstat;

extern const struct protocol tcp_protocol;

void tcp_start(void);

/* tcp_usrreq.c: options of a connection. */
void tcp_set_no_delay(struct socket *so, int no_delay);
void tcp_set_keepalive(struct socket *so, uint32_t seconds); /* of silence; 0: never */
enum tcps tcp_state_of(const struct socket *so);
#endif
