/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection's state. Functions of TCP's files are in the header of their folder. */
#pragma once

#include "protocols/ip/ip.h"
#include "protocols/tcp/tcp.h"
#include "protocols/tcp/tcp_constants.h"
#include "protocols/tcp/tcp_header.h"
#include "protocols/tcp/tcp_upcalls.h"
#include "xkernel/classifier.h"
#include "xkernel/map/map.h"
#include "xkernel/map/passive.h"
#include "xkernel/thread/event.h"
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
#if LANCE_CLASSIFIER
	uint64_t path; /* the id of its frames */
#endif
#if XK_FAST_OWN
	uint64_t own;	      /* the slot of its own code, 0: none */
	struct xobj_ops *ops; /* the session's, with that code */
#endif
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

/* parallel/, in images with XK_MP */
#include "protocols/tcp/parallel/entry.h"
#include "protocols/tcp/parallel/piece.h"
