/* SPDX-License-Identifier: BSD-2-Clause */
/* OSDI'94 3.2: each processor sums memory that no cache holds, its own, as long as the measurement
 * lasts. A packet is the next MPBENCH_BYTES of it. There is more of it than a b-cache holds. */
#include "apps/mpbench/bench.h"
#include "xkernel/checksum.h"
#include "xkernel/percpu/count.h"
#include "xkernel/upi.h"

enum { SUM_BYTES = 2 << 20 };

const char *const bench_graph = "udp"; /* started, not used */
const char *const bench_names[BENCH_NUMBERS];

/* Not in .bss: processor 0 would bring it into its b-cache. */
static uint8_t memory[XK_CPUS][SUM_BYTES]
    __attribute__((aligned(XK_MP_BLOCK), section(".noinit,\"aw\",@nobits#")));
static struct {
	uint64_t at, sum;
} OWN_BLOCK own[XK_CPUS];

void bench_start(uint64_t processors)
{
}

int bench_packet(uint64_t number)
{
	uint8_t *next = memory[number] + own[number].at;

	own[number].sum = checksum_add(own[number].sum, next, MPBENCH_BYTES);
	own[number].at = (own[number].at + MPBENCH_BYTES) % SUM_BYTES;
	return XK_OK;
}

void bench_sum(uint64_t sum[BENCH_NUMBERS])
{
}
