/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/chan/chan.h"
#include "xkernel/byteorder.h"
#include "xkernel/classifier.h"
#include "xkernel/map/map.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/semaphore.h"

struct chan_header {
	uint32_t channel_flags; /* channel 16, zero 8, flags 8 */
	uint32_t upper, sequence, bytes;
} __attribute__((may_alias));

/* In channel_flags, as loaded. */
enum {
	CHAN_FROM_CLIENT = 1 << 24,
	CHAN_USER_MSG = 2 << 24,
	CHAN_ACK_REQUESTED = 4 << 24,
	CHAN_NEGATIVE_ACK = 8 << 24,
	CHAN_FLAGS = 15 << 24,
};

enum chan_state {
	CHAN_FREE,    /* client */
	CHAN_CALLING, /* client: the drawing's WAIT */
	CHAN_IDLE,    /* server */
	CHAN_EXECUTE,
	CHAN_WAIT,
};

enum chan_gone { CHAN_HERE, CHAN_ZOMBIE, CHAN_BURIED };

struct chan {
	struct map clients, servers; /* {lower session, upper protocol and channel} -> session */
	struct map passive;	     /* upper protocol -> struct passive_enable */
	struct map dormant;	     /* see chan_dormant.c */
	struct xobj *dead;	     /* to be freed when their timers are at rest */
	struct event reaper, collector;
	uint32_t next_channel;
};

#if XK_FAST
enum { CHAN_FAST_QUADS = 12 }; /* of the frame of a call without data */

/* A channel's ways: up, with `self` and `lower` as demux gets them, and down. */
typedef int (*chan_fast_up)(struct xobj *channel, struct msg *m, struct xobj *self,
			    struct xobj *lower);
typedef int (*chan_fast_down)(struct xobj *channel, struct msg *m, struct msg *reply);

/* The fast path's state of a channel (mselect_fast.c). Words as on the wire. */
struct chan_fast {
	uint64_t ready;			    /* all that follows is set */
	uint64_t heard;			    /* client: the reply came this way */
	uint64_t ids;			    /* both boot ids of `frame`, as BID has them */
	uint64_t expected[CHAN_FAST_QUADS]; /* of a received frame */
	uint64_t frame[CHAN_FAST_QUADS];    /* to send */
	uint64_t ip_sum;
	uint64_t wait;		 /* timer interrupts until we ask */
	const uint64_t *bid_ids; /* what BID has now */
	uint32_t *ident;	 /* IP's next */
	struct xobj *driver;
	struct xobj *user; /* server: MSELECT's session */
	uint32_t sequence; /* that `expected` has */
#if LANCE_CLASSIFIER
	uint64_t path; /* the id of such frames */
#endif
#if XK_FAST_TABLE
	chan_fast_down down;
#endif
#if XK_FAST_OWN
	uint64_t slot; /* of its own code, 0: none */
	uint64_t own;  /* that code runs */
#endif
	struct msg reply; /* server: the answer without data, kept for repetitions */
};

/* With XK_FAST_TABLE: the channel with such a number, and its way up. */
struct chan_fast_entry {
	struct xobj *session; /* NULL: none, or another channel has the place */
	chan_fast_up up;
};
#ifndef CHAN_FAST_ENTRIES
#define CHAN_FAST_ENTRIES 64 /* fewer in a test */
#endif
extern struct chan_fast_entry chan_fast_table[CHAN_FAST_ENTRIES];

/* The number as on the wire, with flags or without: its low byte chooses. */
static inline struct chan_fast_entry *chan_fast_entry(uint32_t channel_flags)
{
	return &chan_fast_table[(channel_flags >> 8) % CHAN_FAST_ENTRIES];
}

struct chan_fast_counts {
	uint64_t no_entry; /* another channel has the place: the general way up */
	uint64_t again;	   /* began anew: from then on the shared code */
};
extern struct chan_fast_counts chan_fast_counts;
void chan_fast_enter(struct xobj *session, chan_fast_up up, chan_fast_down down);
void chan_fast_leave(struct xobj *session);
void chan_fast_freed(struct xobj *session); /* the session itself is about to be */

extern struct xobj *chan_fast_session; /* the channel that was used last, or NULL */
void chan_fast_forget(struct xobj *session);
int chan_await(struct xobj *session); /* of a call under way: until it is over, its result */
void chan_ask_again(void *session);   /* what the timers do */
void chan_ask_for_ack(void *session);
#define CHAN_FAST struct chan_fast fast;
#else
#define chan_fast_forget(session) ((void)0)
#define chan_fast_freed(session) ((void)0)
#define CHAN_FAST
#endif

#if XK_FAST_TIMER
struct chan_timer {
	void (*function)(void *session); /* NULL: the event has nothing to do */
	uint64_t due;			 /* timer interrupt number */
};
#define CHAN_TIMER struct chan_timer when;
#define chan_disarm(e) ((e)->when.function = NULL)
#else
#define CHAN_TIMER
#define chan_disarm(e) event_cancel(&(e)->timer)
#endif

/* Either end of a channel. */
struct chan_end {
	uint64_t key[2];
	uint32_t channel, upper; /* as on the wire; channel without flags */
	uint32_t host;		 /* host order */
	uint32_t sequence;
	uint32_t state;	     /* enum chan_state */
	uint32_t gone;	     /* enum chan_gone */
	uint32_t one_packet; /* bytes that go in one */
	struct msg kept;     /* client: the request, server: the reply; unless FREE, IDLE */
	int32_t handle;	     /* BLAST's, of `kept` */
	uint32_t tries;
	uint64_t wait; /* us */
	struct event timer;
	struct xobj *next_dead;
	/* client */
	struct msg *reply; /* the caller's */
	int result;
	uint32_t tries_limit;
	struct semaphore answered;
	CHAN_TIMER
	CHAN_FAST
};

static inline void chan_key(uint64_t key[2], const struct xobj *lower, uint32_t upper,
			    uint32_t channel)
{
	key[0] = (uint64_t)(uintptr_t)lower;
	key[1] = (uint64_t)upper << 32 | channel;
}

/* Header in front of m, and down. The answer is BID's: above 0, a handle of BLAST's. */
int chan_send(struct xobj *session, struct msg *m, uint32_t flags, uint32_t sequence);
void chan_send_header(struct xobj *session, uint32_t flags, uint32_t sequence);
/* `kept` again, or a header that asks for an answer if it is more than a packet and not `whole`. */
void chan_send_kept(struct xobj *session, uint32_t flags, int whole);
void chan_drop_kept(struct xobj *session);
/* Notes the handle that chan_send returned for `sequence`; frees it at once if that is over. */
void chan_note_handle(struct xobj *session, uint32_t sequence, int32_t handle);

/* The timer, which has fired or been cancelled, runs `function` after us. */
void chan_arm(struct xobj *session, void (*function)(void *session), uint64_t us);
/* chan_timer.c, with XK_FAST_TIMER: in timer interrupts. */
void chan_arm_ticks(struct xobj *session, void (*function)(void *session), uint64_t ticks);

struct xobj *chan_session_make(struct xobj *self, const struct xobj_ops *ops, struct map *map,
			       struct xobj *receiver, struct xobj *type, struct xobj *lower,
			       uint32_t upper, uint32_t channel);
void chan_bury(struct xobj *session); /* out of all maps, refs 0: freed when its timer rests */
void chan_collect_start(struct xobj *self);
int chan_make_room(struct xobj *self);

struct xobj *chan_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		       struct part *parts);
struct xobj *chan_passive_open(struct xobj *self, struct xobj *lower, uint32_t upper,
			       uint32_t channel, uint32_t sequence);
int chan_demux(struct xobj *self, struct xobj *lower, struct msg *m);

int chan_call(struct xobj *session, struct msg *m, struct msg *reply);
int chan_client_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header);
void chan_client_reset(struct xobj *session); /* the server has rebooted */

int chan_server_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header);
void chan_server_reset(struct xobj *session); /* the client has; the caller unbinds it */

/* Sequences of channels that are not in use. */
int chan_remember(struct xobj *session, int is_client); /* -1: no memory or no room */
/* Takes over what was left behind for this channel, or leaves e->sequence as it is. */
void chan_recall(struct xobj *session, int is_client);
void chan_forget_host(struct chan *c, uint32_t host);

extern const struct xobj_ops chan_client_ops, chan_server_ops;
