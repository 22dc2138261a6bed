/* SPDX-License-Identifier: BSD-2-Clause */
/* The fuzzer's peer's knowledge of the machine, from the frames it has sent. Programs count from
 * it. */
#pragma once

#include <stdint.h>

#include "platform/host/host.h"

struct known {
	uint32_t peer_next, kernel_next; /* TCP, relative as in peer.h: what comes next */
	uint32_t edge;			 /* TCP, likewise: up to where it has offered */
	uint32_t tag;			 /* of BIDCTL's last question */
	uint32_t channel, call;		 /* of CHAN's last short message */
	uint32_t sequence, fragments;	 /* of BLAST's last long one */
};
extern struct known known;

void known_learn(const struct host_frame *f);
uint32_t known_get(const uint8_t *from, int bytes); /* a number as it lies on the wire */

/* How far from what is expected a byte of a program wants to be: near, most of the time; -28 to
 * 99, then ever farther. */
uint32_t known_distance(uint8_t x);
