/* SPDX-License-Identifier: BSD-2-Clause */
/* Two machines and a wire: each is its own copy of the machine library, so has its own globals.
 *
 * usage: pingpong MACHINE0.so MACHINE1.so WARMUP ROUND_TRIPS SEED [LOSE_PERCENT [STACK]]
 * Prints the frames as lines of `time sender hex`, then the exit codes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/host/machine.h"

enum { WIRE_TICKS = 60 * 175, MAX_FLYING = 64 };
static const uint64_t LIMIT = 3600ull * 1000000 * 175;

struct machine {
	struct loaded is;
	struct host_frame flying[MAX_FLYING]; /* towards this machine, oldest first */
	size_t count;
};

static struct machine machines[2];

static void print_frame(const struct host_frame *f, int sender, int lost)
{
	printf("%llu %d ", (unsigned long long)f->time, sender);
	for (size_t i = 0; i < f->bytes; i++)
		printf("%02x", f->data[i]);
	printf(lost ? " lost\n" : "\n");
}

/* Up to `time`, with each frame arriving at its moment. */
static void advance(struct machine *m, uint64_t time)
{
	while (m->count && m->flying[0].time + WIRE_TICKS <= time) {
		m->is.run(m->flying[0].time + WIRE_TICKS - 1, 0);
		m->is.deliver(m->flying[0].data, m->flying[0].bytes);
		m->count--;
		memmove(m->flying, m->flying + 1, m->count * sizeof m->flying[0]);
	}
	m->is.run(time, 0);
}

int main(int argc, char **argv)
{
	uint64_t time = 0, random, lose = argc > 6 ? strtoull(argv[6], NULL, 0) : 0;

	if (argc < 6)
		return 2;
	random = strtoull(argv[5], NULL, 0);
	for (int i = 0; i < 2; i++) {
		struct boot_params boot = machine_boot((uint64_t)i);

		boot.warmup = strtoull(argv[3], NULL, 0);
		boot.round_trips = strtoull(argv[4], NULL, 0);
		boot.seed = random;
		boot.stack = argc > 7 ? strtoull(argv[7], NULL, 0) : 0;
		machine_load(&machines[i].is, argv[1 + i]);
		machines[i].is.start(&boot, machines[i].is.entry);
	}
	while (time < LIMIT && (machines[0].is.exit_code() == HOST_RUNNING ||
				machines[1].is.exit_code() == HOST_RUNNING)) {
		time += WIRE_TICKS;
		for (int i = 0; i < 2; i++)
			advance(&machines[i], time);
		for (int i = 0; i < 2; i++) {
			struct machine *peer = &machines[1 - i];
			struct host_frame f;

			while (machines[i].is.take(&f)) {
				int lost;

				random = random * 6364136223846793005 + 1442695040888963407;
				lost = (random >> 33) % 100 < lose;
				print_frame(&f, i, lost);
				if (!lost && peer->count < MAX_FLYING)
					peer->flying[peer->count++] = f;
			}
		}
	}
	for (int i = 0; i < 2; i++)
		printf("exit %d %d %s", i, machines[i].is.exit_code(), machines[i].is.console());
	return machines[0].is.exit_code() != 0 || machines[1].is.exit_code() != 0;
}
