/* SPDX-License-Identifier: BSD-2-Clause */
/* The other end of the RPC stack, by script. Headers are written and read here byte by byte, from
 * the tables of docs/reference/protocols/rpc.md, without the kernel's own structures. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { RPC_FRAGMENT = 1456, RPC_HEADERS = 12 + 16 + 8 /* BID, CHAN, MSELECT */ };
enum { FROM_CLIENT = 1, USER_MSG = 2, ACK_REQUESTED = 4, NEGATIVE_ACK = 8 };
enum { OTHER_BOOT = 0x4e657721 }; /* of ours, later */
enum { SEND = 1, NACK = 2, RETRANSMIT = 3 };
enum { QUERY = 1, RESPONSE = 2, BCAST = 4 };

struct rpc_frame { /* one of the kernel's */
	double ms;
	uint32_t sequence, count, op; /* BLAST */
	uint64_t mask;
	size_t bytes; /* behind BLAST's header */
	const uint8_t *data;
	/* if there are so many bytes */
	uint32_t bid_source, bid_destination;
	uint32_t channel, flags, call, length;
	uint32_t id, status;
	size_t user_bytes;
	const uint8_t *user;
	uint8_t frame[1514];
};

struct bidctl_frame {
	double ms;
	uint32_t flags, source, destination, request_tag, reply_tag;
};

/* The next message has these bytes changed, counted from BLAST's header; width 0: none. */
struct rpc_patch {
	int offset, width;
	uint32_t value;
};
extern struct rpc_patch rpc_patch;
extern int rpc_cut; /* and ends so many bytes early */

extern int rpc_keeps_alive;		/* BIDCTL's questions are answered without a word */
extern uint32_t peer_boot, kernel_boot; /* boot ids */
extern uint32_t peer_procedure;

void rpc_start(void);		   /* the kernel, and BIDCTL's handshake with it begun by us */
void rpc_start_unknown(void);	   /* without it */
void rpc_meet(void);		   /* the handshake alone */
uint32_t peer_answers_query(void); /* the kernel asks: we answer; its request tag */

/* A message through CHAN: flags, channel, call number, then MSELECT's header and data if `flags`
 * has USER_MSG. Those of its fragments whose bit is set in `mask` (a short one has no bits). */
void peer_chan(uint32_t flags, uint32_t channel, uint32_t call, const void *data, size_t bytes);
void peer_fragments(uint32_t flags, uint32_t channel, uint32_t call, const void *data, size_t bytes,
		    uint32_t sequence, uint32_t op, uint64_t mask);
void peer_blast(uint32_t sequence, uint32_t count, uint32_t op, uint64_t mask, const void *data,
		size_t bytes);
void peer_bidctl(uint32_t flags, uint32_t source, uint32_t destination, uint32_t request_tag,
		 uint32_t reply_tag);

void request(uint32_t call); /* a byte, on channel 1 */
void served(uint32_t call);  /* and it is answered at once */

struct rpc_frame expect_rpc(void); /* the kernel's next frame, within 400 s */
/* The peer's message is answered at once, by one of the same call with these flags. */
struct rpc_frame peer_chan_answered(uint32_t flags, uint32_t channel, uint32_t call,
				    const void *data, size_t bytes, uint32_t answer);
struct rpc_frame expect_chan(uint32_t flags, uint32_t channel, uint32_t call);
/* Fragments of one message, those of `mask`, in order, to their places in `to`; SEND: the first
 * says the sequence number. The message's bytes up to the last one that came. */
size_t expect_fragments(uint8_t *to, uint32_t count, uint64_t mask, uint32_t op,
			uint32_t *sequence);
struct bidctl_frame expect_bidctl(uint32_t flags);
void expect_no_frame(double ms);
