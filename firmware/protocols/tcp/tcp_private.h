/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection's state and what TCP's files have of each other. */
#pragma once

#include "protocols/ip/ip.h"
#include "protocols/tcp/tcp.h"
#include "protocols/tcp/tcp_constants.h"
#include "protocols/tcp/tcp_header.h"
#include "protocols/tcp/tcp_upcalls.h"
#include "xkernel/thread/event.h"
#include "xkernel/map/map.h"
#include "xkernel/map/passive.h"
#include "xkernel/thread/semaphore.h"

/* SIGCOMM'96 2.2.4: the processor has no byte or short accesses, so small state is kept in words.
 * With XK_WORDS off it is declared as BSD did. */
#if XK_WORDS
typedef uint32_t tcp_byte, tcp_short;
#else
typedef uint8_t tcp_byte;
typedef uint16_t tcp_short;
#endif

/* Data taken from the user and not yet acknowledged; the first byte is send.una. */
struct tcp_chunk {
	struct tcp_chunk *next;
	struct msg msg;
};

struct tcp_queue {
	struct tcp_chunk *first, **last;
	uint32_t bytes, chunks, limit;
};

/* A segment that came too early. */
struct tcp_early {
	struct tcp_early *next;
	uint32_t sequence, bytes, fin;
	struct msg msg;
};

#if XK_FAST
struct tcp_word {
	uint32_t number, swapped;
};

/* The fast path's state of a connection (tcp_fast.c). Words as on the wire. */
struct tcp_fast {
	uint64_t ready;	      /* all that follows is set */
	uint64_t station;     /* ours, in a received frame's first quadword */
	uint64_t source_type; /* the peer's station, IP */
	uint64_t source;      /* protocol, the peer's address */
	uint64_t destination; /* our address, ports */
	struct tcp_word next; /* receive_next: sequence of the next segment */
	struct tcp_word max;  /* send_max: its ACK */
	uint64_t header[4];   /* of a frame to send, up to half of the destination's address */
	uint64_t ports;	      /* the other half, ports */
	uint64_t ip_sum;
	struct xobj *driver;
	struct tcp_chunk chunk; /* queued when it is alone */
	struct msg bytes;	/* where its text is copied to */
};
#define TCP_FAST struct tcp_fast fast;
#define TCP_OWN_CHUNK(q, c) ((c) == &TCP_OF_QUEUE(q)->fast.chunk)
#define TCP_OF_QUEUE(q) ((struct tcp *)((char *)(q)-offsetof(struct tcp, queue)))
#else
#define TCP_FAST
#define TCP_OWN_CHUNK(q, c) 0
#endif

struct tcp { /* one connection */
	/* what every segment touches */
	uint32_t send_una, send_next, send_max, send_window;
	PADDING(padding1)
	uint32_t receive_next;
	uint32_t receive_advertised, receive_space, receive_size;
	PADDING(padding2)
	uint32_t congestion_window;
	uint32_t slow_start_threshold;
	PADDING(padding3)
	tcp_byte state; /* enum tcp_state */
	tcp_byte ack_now, ack_delayed, no_delay, fin_sent, user_closed, duplicate_acks, force;
	PADDING(padding4)
	tcp_byte backoff;		      /* retransmissions in a row */
	tcp_byte rtt_ticks;		      /* running measurement: slow ticks + 1; 0: none */
	tcp_short segment_max, segment_limit; /* bytes: in use; what our side can */
	tcp_short rto;			      /* slow ticks */
	tcp_short timer[TCP_TIMERS];	      /* slow ticks to go; 0: off */
	tcp_short srtt, rttvar;		      /* slow ticks times 8, times 4 */
	PADDING(padding5)
	uint32_t rtt_sequence;
	uint32_t window_sequence, window_ack; /* of the segment that set send_window */
	uint32_t send_window_max;
	PADDING(padding6)
	uint32_t template_ports; /* source, destination as on the wire */
	uint64_t pseudo_sum;	 /* of addresses and protocol */
	PADDING(padding7)
	struct tcp_queue queue;
	TCP_FAST
	/* rarely */
	struct tcp_early *early;
	uint32_t early_count;
	uint32_t send_initial, receive_initial;
	uint32_t passive, age; /* age: slow ticks since the connection began */
	uint64_t key;
	struct semaphore opened, room; /* tcp_open, tcp_push wait here */
	uint32_t waiting_open, waiting_room;
	int open_result;
	uint32_t unanswered; /* probes of a shut window since its last answer */
	TCP_PARALLEL
};

struct tcp_protocol {
	struct map active;  /* {local port, remote port, remote address} */
	struct map passive; /* local port -> struct passive_enable */
	struct event fast, slow;
	uint32_t address;      /* ours, as on the wire */
	uint32_t next_initial; /* sequence number for the next connection */
	uint32_t next_port;
	uint32_t half_open;
	TCP_BIRTHS
};

/* A received segment's fields, in host order; input trims it as it goes. */
struct tcp_segment {
	uint32_t sequence, ack, flags, window, bytes, segment_max;
	const struct ip_info *ip;
	uint32_t ports; /* as on the wire */
};

extern const struct xobj_ops tcp_protocol_ops, tcp_session_ops;

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

/* Within a pop: has the user closed, or given its last reference back in an upcall of this pop?
 * Then the pop's own is the only one, and the close follows when the pop ends. */
static inline int user_has_gone(const struct xobj *s)
{
	const struct tcp *t = s->state;

	return ref_read(&s->refs) == 1 || t->user_closed;
}

/* Ports as on the wire in one longword, as a segment we receive has them: source low. */
static inline uint64_t tcp_key(uint32_t remote_address, uint32_t ports)
{
	return (uint64_t)remote_address << 32 | ports;
}

/* tcp_state.c */
/* The connection is over: timers off, out of the map, waiters woken, the user told. */
void tcp_drop(struct xobj *s, enum xk_close why);
void tcp_enter_time_wait(struct xobj *s);

/* tcp_session.c */
struct xobj *tcp_session_make(struct xobj *self, struct xobj *receiver, struct xobj *type,
			      struct xobj *lower, uint32_t remote, uint32_t ports);
void tcp_set_peer_segment_max(struct xobj *s, uint32_t bytes);
void tcp_close(struct xobj *s); /* the session's close operation */
void tcp_shutdown(struct xobj *s);
void tcp_become_established(struct xobj *s);

/* tcp_open.c */
struct xobj *tcp_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		      struct part *parts);
int tcp_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		    struct part *parts);
int tcp_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		     struct part *parts);

/* tcp_queue.c */
void tcp_queue_init(struct tcp_queue *q);
int tcp_queue_append(struct tcp_queue *q, struct msg *m); /* shares; -1: no memory */
void tcp_queue_drop(struct tcp_queue *q, uint32_t bytes); /* from the front */
/* m := bytes [from, from + bytes) shared; -1: no memory, m is empty */
int tcp_queue_share(struct tcp_queue *q, uint32_t from, uint32_t bytes, struct msg *m);
void tcp_early_free(struct tcp *t);

/* tcp_push.c, tcp_output.c, tcp_segment.c */
int tcp_push(struct xobj *s, struct msg *m);
int tcp_output(struct xobj *s);
/* A segment of no connection, answering `in`, sent through IP's session. */
void tcp_respond(struct xobj *ip_session, const struct tcp_segment *in, uint32_t sequence,
		 uint32_t ack, uint32_t flags);
void tcp_reset(struct xobj *ip_session, const struct tcp_segment *in);
int tcp_send_segment(struct xobj *s, uint32_t sequence, uint32_t from, uint32_t bytes,
		     uint32_t flags, uint32_t window);

/* tcp_demux.c and the input files */
int tcp_demux(struct xobj *self, struct xobj *lower, struct msg *m);
int tcp_pop(struct xobj *s, struct xobj *lower, struct msg *m, void *header);
int tcp_listen_input(struct xobj *self, struct passive_enable *l, struct xobj *lower,
		     struct tcp_segment *g);
/* Each of these: 0: go on with the segment; 1: it is dealt with. */
int tcp_syn_sent_input(struct xobj *s, struct tcp_segment *g, struct msg *m);
int tcp_trim_to_window(struct xobj *s, struct tcp_segment *g, struct msg *m);
int tcp_ack_input(struct xobj *s, struct tcp_segment *g);
void tcp_data_input(struct xobj *s, struct tcp_segment *g, struct msg *m);

/* tcp_congestion.c */
void tcp_congestion_open(struct tcp *t); /* a new ACK has come */
void tcp_congestion_cut(struct tcp *t);	 /* a loss */
void tcp_rtt_sample(struct tcp *t, uint32_t ticks);
uint32_t tcp_rto(const struct tcp *t); /* slow ticks, with backoff */

/* tcp_persist.c */
/* Data wait and nothing is under way that would bring an ACK: the window is probed. */
void tcp_probe_if_stuck(struct tcp *t);
/* A segment says that the peer's window is 0. Data that it has not acknowledged go again, all of
 * them, when it opens; until then it is probed, and no try is counted (RFC 9293 3.8.6). */
void tcp_window_shut(struct tcp *t);
void tcp_window_opens(struct tcp *t);  /* while it was probed */
int tcp_probed_in_vain(struct tcp *t); /* so often that the connection is given up */

/* tcp_fast_begin.c, tcp_fast_push.c: in images with XK_FAST */
void tcp_fast_begin(struct xobj *s);  /* an established connection may take the fast path */
void tcp_fast_last(struct xobj *s);   /* a segment has come for it */
void tcp_fast_forget(struct xobj *s); /* no longer */
int tcp_fast_push(struct xobj *s, struct msg *m);
void tcp_input_end(struct xobj *s); /* what is left to be sent when a segment has been dealt with */

/* parallel/, in images with XK_MP */
#include "protocols/tcp/parallel/entry.h"
#include "protocols/tcp/parallel/piece.h"

/* tcp_timer.c, tcp_control.c */
void tcp_timers_start(struct xobj *self);
int tcp_control(struct xobj *object, int op, void *buffer, size_t bytes);

/* protocols/keepalive, in images with XK_KEEPALIVE. */
int tcp_keepalive_set(struct xobj *session, uint32_t seconds);
void tcp_keepalive_heard(const struct xobj *session); /* an ACK without any news */
void tcp_keepalive_forget(struct xobj *session);
