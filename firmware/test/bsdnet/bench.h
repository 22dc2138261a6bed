/* SPDX-License-Identifier: BSD-2-Clause */
/* bsdnet alone, with frames from the case: headers are made here byte by byte. */
#pragma once

#include "bsdnet/driver.h"
#include "bsdnet/environment.h"
#include "bsdnet/inet/reassembly.h"
#include "bsdnet/socket/socket.h"
#include "test/host/case.h"
#include "test/host/wire.h"

enum {
	MBUFS = 512,
	CLUSTERS = 256,
	PORT = 2001,
	FROM_PORT = 4000,
	LONGEST = 65535,
	FRAGMENT = 1480,
	PAPER_MESSAGE = 14792, /* TR 93-04's: ten full frames */
};

extern struct net_config bench_config; /* change it before bench_start */
extern int bench_by_dma;	       /* 1: frames come in clusters given in advance */
extern void (*bench_on_sleep)(void);   /* what happens while a reader waits; NULL: it gives up */
extern uint32_t bench_wakeups, bench_probes, bench_lines;
extern const uint8_t *bench_bad_user; /* copies to here fail */

void bench_start(void); /* and a socket bound to PORT: bench_socket */
extern int bench_socket;

/* A UDP datagram with its header: FROM_PORT to PORT, bytes of a pattern that `seed` chooses. */
struct datagram_bytes {
	uint8_t bytes[LONGEST];
	uint32_t total; /* header included */
	uint32_t ident;
};
void make_datagram(struct datagram_bytes *d, uint32_t data_bytes, uint32_t seed);
uint8_t pattern(uint32_t seed, uint32_t at);

/* An IP packet in a frame; `more` is the flag. Its length. */
uint32_t make_frame(uint8_t *frame, const struct datagram_bytes *d, uint32_t offset, uint32_t bytes,
		    int more);
void fix_header(uint8_t *frame);		    /* IP's checksum, after a change */
void arrives(const uint8_t *frame, uint32_t bytes); /* at the driver */
void fragment_arrives(const struct datagram_bytes *d, uint32_t offset, uint32_t bytes);
void datagram_arrives(const struct datagram_bytes *d); /* in fragments of FRAGMENT, in order */

/* The reader gets all bytes of d, and nothing more is there. */
void expect_datagram(const struct datagram_bytes *d);
void expect_nothing(void);

/* Frames that were sent, oldest first; 0: none. */
uint32_t take_sent(uint8_t *frame);
uint32_t draw(uint32_t below); /* pseudo-random, the same each time */
