/* SPDX-License-Identifier: BSD-2-Clause */
/* Everything that varies from run to run is a function of the boot seed, never of time, so that all
 * variants put the same bytes on the wire. */
#pragma once

#include <stdint.h>

#include "platform/platform.h"

enum { SEED_TCP_ISS = 1, SEED_IP_IDENT = 2, SEED_BOOT_ID = 3, SEED_BLAST = 4, SEED_BIDCTL_TAG = 5 };

/* A number for one purpose: the output function of SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t seed_number(uint64_t purpose)
{
	uint64_t z = plat_boot()->seed + (2 * purpose + plat_boot()->role) * 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}
