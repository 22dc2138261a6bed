/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters of a protocol: with XK_MP each processor has its own, in blocks of its own. A shared one
 * would be a coherence miss for each packet, and would lose counts.
 *
 *	struct x_counts { … } OWN_BLOCK;
 *	extern struct x_counts x_counts PER_CPU;	COUNT(x_counts, received);	*/
#pragma once

#include "xkernel/lock/mp.h"

#if XK_MP
#include "xkernel/percpu/percpu.h"
#define PER_CPU [XK_CPUS]
#define OWN_BLOCK __attribute__((aligned(XK_MP_BLOCK)))
#define COUNT(counts, name) ((counts)[percpu_number()].name++)
#define ADD_COUNT(counts, name, n) ((counts)[percpu_number()].name += (n))
#else
#define PER_CPU
#define OWN_BLOCK
#define COUNT(counts, name) ((counts).name++)
#define ADD_COUNT(counts, name, n) ((counts).name += (n))
#endif
