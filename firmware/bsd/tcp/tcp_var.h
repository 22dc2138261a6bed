/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection's control block, and the functions of TCP's files. */
#ifndef BSD_TCP_VAR_H
#define BSD_TCP_VAR_H

#include "bsd/inet/in_pcb.h"
#include "bsd/inet/ip.h"
#include "bsd/switches.h"
#include "bsd/tcp/tcp.h"
#include "bsd/tcp/tcp_wire.h"

#if BSD_WORDS
typedef uint32_t tcp_byte, tcp_short;
#else
typedef uint8_t tcp_byte;
typedef uint16_t tcp_short;
#endif

enum tcp_timer { TIMER_RETRANSMIT, TIMER_PERSIST, TIMER_KEEP, TIMER_WAIT, TIMERS };

enum tcp_flag { /* bits */
		TF_ACK_NOW = 1,
		TF_ACK_DELAYED = 2,
		TF_NO_DELAY = 4,
		TF_FIN_SENT = 8,
};

enum { /* times in slow ticks of 500 ms */
       RTO_MIN = 2,
       RTO_MAX = 128,
       RTO_INITIAL = 12,
       MAX_RETRANSMITS = 12,
       MAX_BACKOFF = 6, /* times 64 */
       PERSIST_MIN = 10,
       PERSIST_MAX = 120,
       KEEP_OPENING = 150,
       KEEP_INTERVAL = 150,
       KEEP_PROBES = 8,
       KEEP_IDLE = 14400,
       TWO_MSL = 60,
       FIN_WAIT_2_MAX = 1200,

       DEFAULT_SEGMENT = 512,
       MIN_SEGMENT = 64,
       WINDOW_MAX = 65535,
       DUPLICATE_ACKS = 3,
       EARLY_MAX = 16,
       INITIAL_STEP = 64000, /* of sequence numbers, a connection */
};

struct tcpcb {
	struct inpcb *inpcb;
	tcp_short state; /* enum tcps */
	tcp_short timer[TIMERS];
	tcp_short backoff; /* retransmissions in a row */
	tcp_short rto;
	tcp_short duplicate_acks;
	tcp_short segment_max, segment_limit;
	tcp_byte force; /* one byte is sent into a shut window */
	tcp_short flags;
	struct tcpiphdr header; /* of each segment that is sent */

	uint32_t send_una, send_next, send_max, send_initial;
	uint32_t send_window, window_sequence, window_ack; /* and the segment it is from */
	uint32_t send_window_max;
	uint32_t receive_next, receive_initial, receive_advertised;
	uint32_t congestion_window, slow_start_threshold;

	tcp_short idle;		/* slow ticks since a segment came */
	tcp_short rtt;		/* of the measurement that runs, + 1; 0: none */
	tcp_short srtt, rttvar; /* times 8, times 4 */
	uint32_t rtt_sequence;

	struct mbuf *early; /* segments that came too early, by next_packet */
	uint32_t early_count;
	uint32_t keep_idle; /* slow ticks of silence before a probe */
	tcp_short keep_probes;
	tcp_short unanswered; /* probes of a shut window */
};

/* A received segment, as far as the slow path takes it from function to function. The header that
 * it is made of is in host order. */
struct segment {
	struct mbuf *m; /* the header is gone */
	uint32_t sequence, ack, flags, window, bytes;
	uint32_t segment_max; /* the option, or 0 */
};

extern struct in_pcbs tcb;	     /* all connections */
extern struct inpcb *tcp_last_inpcb; /* of the last segment that came; NULL: none */
/* Hidden, as if they were static: a path has copies of tcp_input() and of the senders. */
#pragma GCC visibility push(hidden)
extern struct simple_lock tcp_lookup;
int tcp_usrreq(struct socket *so, int request, struct mbuf *m, struct in_name *name);
#pragma GCC visibility pop
extern uint32_t tcp_next_initial;

static inline struct tcpcb *tcpcb_of(const struct inpcb *p)
{
	return p->protocol_pcb;
}

static inline struct tcpcb *tcpcb_of_socket(const struct socket *so)
{
	return so->pcb ? tcpcb_of(so->pcb) : NULL;
}

static inline int seq_lt(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

static inline int seq_leq(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) <= 0;
}

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* tcp_subr.c */
struct tcpcb *tcp_newtcpcb(struct inpcb *p); /* NULL: no memory */
void tcp_template(struct tcpcb *t);	     /* once both ends are known */
void tcp_sequences(struct tcpcb *t);	     /* the initial number */
void tcp_set_peer_segment_max(struct tcpcb *t, uint32_t bytes);
void tcp_cancel_timers(struct tcpcb *t);
void tcp_close(struct tcpcb *t);	   /* frees it */
void tcp_drop(struct tcpcb *t, int error); /* the same, and tells the program why */
void tcp_time_wait(struct tcpcb *t);
void tcp_established(struct tcpcb *t);
/* A segment of its own in the mbuf of one that came, or in a new one (NULL). */
void tcp_respond(struct mbuf *m, const struct tcpiphdr *to, uint32_t ack, uint32_t sequence,
		 uint32_t flags, uint32_t window);
void tcp_reset(struct mbuf *m, const struct tcpiphdr *from); /* `from`: m's header, host order */

/* tcp_output.c */
NOT_INLINE int tcp_output(struct tcpcb *t); /* enum bsd_error */

/* tcp_persist.c */
void tcp_set_persist(struct tcpcb *t);
void tcp_probe_if_stuck(struct tcpcb *t); /* data wait, and nothing would bring an ACK */
void tcp_window_shut(struct tcpcb *t);	  /* a segment says so */
void tcp_window_opens(struct tcpcb *t);

/* tcp_congestion.c */
void tcp_congestion_open(struct tcpcb *t);
void tcp_congestion_cut(struct tcpcb *t);
void tcp_xmit_timer(struct tcpcb *t); /* a round trip has been measured */
uint32_t tcp_rto(const struct tcpcb *t);

/* tcp_reass.c */
void tcp_insert_early(struct tcpcb *t, struct segment *g);
/* The segment is the next one and others wait: all that is contiguous goes to the socket. 1: up to
 * the peer's FIN. */
int tcp_reass(struct tcpcb *t, struct segment *g);
void tcp_free_early(struct tcpcb *t);

/* tcp_listen.c. Of a segment for a socket that listens, or for one that waits for its SYN's ACK. */
void tcp_listen_input(struct inpcb *p, struct mbuf *m, const struct tcpiphdr *h, uint32_t bytes,
		      uint32_t segment_max);
int tcp_syn_sent_input(struct tcpcb *t, struct segment *g, struct tcpiphdr *h); /* 1: over */

/* tcp_input.c */
NOT_INLINE void tcp_input(struct mbuf *m, uint32_t header);
/* tcp_timer.c */
void tcp_fasttimo(void);
void tcp_slowtimo(void);
#endif
