/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a litmus test on the processors of a machine, many times, and prints each outcome that came
 * out: a line, as `r=0 s=1 x=1 y=1`. Each time the processors begin a few turns after each other,
 * by the boot block's seed; in half of them they all have the variables in their caches before. */
#include "platform/alpha/device.h"
#include "platform/platform.h"
#include "test/litmus/litmus.h"
#include "xkernel/atomic/word.h"
#include "xkernel/percpu/percpu.h"

enum { TIMES = 200, CELLS = 48, BLOCK = 16, REGISTERS = 8, SKEW = 64 };

extern uint64_t processors_released; /* start.S */
void processor_main(uint64_t number);

static uint64_t variables[TIMES][CELLS] __attribute__((aligned(128)));
static uint64_t registers[TIMES][REGISTERS];
static struct {
	uint64_t word;
} arrived __attribute__((aligned(128)));

static void all_arrive(void)
{
	const uint64_t cores = device_read_quad(SYSTEM_CORE_COUNT);
	uint64_t mine, all;

	barrier_release();
	mine = atomic_add(&arrived.word, 1);
	all = (mine + cores - 1) / cores * cores;
	barrier_drain();
	while (atomic_look(&arrived.word) < all)
		;
	barrier_acquire();
}

void processor_main(uint64_t number)
{
	uint64_t random = plat_boot()->seed + number * 0x9E3779B97F4A7C15;

	percpu_start(number);
	for (unsigned n = 0; n < TIMES; n++) {
		for (unsigned i = 0; n & 1 && i < CELLS; i += BLOCK)
			atomic_read(&variables[n][i]);
		random = random * 0x5851F42D4C957F2D + 0x14057B7EF767814F;
		all_arrive();
		for (uint64_t turns = (random >> 40) % SKEW; turns; turns--)
			__asm__ volatile("");
		if (number < litmus_count)
			litmus_processors[number](variables[n], registers[n]);
	}
	all_arrive();
}

static void print(const char *text)
{
	while (*text)
		plat_putc(*text++);
}

int main(void)
{
	barrier_release();
	processors_released = 1;
	barrier_drain();
	processor_main(0);
	for (unsigned n = 0; n < TIMES; n++) {
		for (unsigned i = 0; i < litmus_result_count; i++) {
			const struct litmus_result *s = &litmus_result[i];

			print(s->name);
			plat_putc('=');
			plat_putc('0' +
				  (char)(s->variable ? variables[n][s->at] : registers[n][s->at]));
			plat_putc(' ');
		}
		plat_putc('\n');
	}
	return 0;
}
