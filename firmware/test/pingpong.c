/* SPDX-License-Identifier: BSD-2-Clause */
/* Two machines and a wire: each is its own copy of the machine library, so has its own globals.
 *
 * usage: pingpong MACHINE0.so MACHINE1.so WARMUP ROUND_TRIPS SEED [LOSE_PERCENT [STACK]]
 * Prints the frames as lines of `time sender hex`, then the exit codes. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/host/host.h"

enum { WIRE_TICKS = 60 * 175, MAX_FLYING = 64 };
static const uint64_t LIMIT = 3600ull * 1000000 * 175;

struct machine {
	void (*start)(const struct boot_params *, int (*)(void));
	int (*entry)(void);
	uint64_t (*run)(uint64_t, int);
	void (*deliver)(const void *, size_t);
	int (*take)(struct host_frame *);
	int (*exit_code)(void);
	const char *(*console)(void);
	struct host_frame flying[MAX_FLYING]; /* towards this machine, oldest first */
	size_t count;
};

static struct machine machines[2];

static void *symbol(void *library, const char *name)
{
	void *s = dlsym(library, name);

	if (!s) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	return s;
}

static void load(struct machine *m, const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	*(void **)&m->start = symbol(library, "host_start");
	*(void **)&m->entry = symbol(library, "kernel_main");
	*(void **)&m->run = symbol(library, "host_run");
	*(void **)&m->deliver = symbol(library, "host_deliver");
	*(void **)&m->take = symbol(library, "host_take");
	*(void **)&m->exit_code = symbol(library, "host_exit_code");
	*(void **)&m->console = symbol(library, "host_console");
}

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
		m->run(m->flying[0].time + WIRE_TICKS - 1, 0);
		m->deliver(m->flying[0].data, m->flying[0].bytes);
		m->count--;
		memmove(m->flying, m->flying + 1, m->count * sizeof m->flying[0]);
	}
	m->run(time, 0);
}

int main(int argc, char **argv)
{
	uint64_t time = 0, random, lose = argc > 6 ? strtoull(argv[6], NULL, 0) : 0;
	struct boot_params boot = {
		.magic = 0x6d435049626f6f74,
		.version = 1,
		.netmask = 0xffffff00,
		.ram_bytes = 64 << 20,
		.ticks_per_us = 175,
		.timer_hz = 1024,
	};
	static const uint64_t mac[2] = { 0x0100002b0008, 0x0200002b0008 };

	if (argc < 6)
		return 2;
	boot.warmup = strtoull(argv[3], NULL, 0);
	boot.round_trips = strtoull(argv[4], NULL, 0);
	random = boot.seed = strtoull(argv[5], NULL, 0);
	boot.stack = argc > 7 ? strtoull(argv[7], NULL, 0) : 0;
	for (int i = 0; i < 2; i++) {
		load(&machines[i], argv[1 + i]);
		boot.role = (uint64_t)i;
		boot.mac = mac[i];
		boot.peer_mac = mac[1 - i];
		boot.ip = 0x0a000001 + (uint64_t)i;
		boot.peer_ip = 0x0a000002 - (uint64_t)i;
		machines[i].start(&boot, machines[i].entry);
	}
	while (time < LIMIT && (machines[0].exit_code() == HOST_RUNNING ||
				machines[1].exit_code() == HOST_RUNNING)) {
		time += WIRE_TICKS;
		for (int i = 0; i < 2; i++)
			advance(&machines[i], time);
		for (int i = 0; i < 2; i++) {
			struct machine *peer = &machines[1 - i];
			struct host_frame f;

			while (machines[i].take(&f)) {
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
		printf("exit %d %d %s", i, machines[i].exit_code(), machines[i].console());
	return machines[0].exit_code() != 0 || machines[1].exit_code() != 0;
}
