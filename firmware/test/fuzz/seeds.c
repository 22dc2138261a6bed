/* SPDX-License-Identifier: BSD-2-Clause */
/* The first programs of a corpus: seeds.txt. */
#include <stdio.h>
#include <stdlib.h>

#include "test/fuzz/fuzz.h"

enum { SYN_FLAG = 2, FIN_ACK = 0x11, SYN_ACK = 0x12, ACK_FLAG = 0x40, PUSH = 0x80 };
/* Acts of TCP's user (user_steps.c), and of the other two. */
enum { DOES_PUSH = 0, DOES_CLOSE = 2, DOES_PING = 11, DOES_KEEPALIVE = 10 };
enum { GIVES_ROOM = 4, KEEPS_ROOM = 5 };
enum { OPENS = 0, CLOSES = 2, PUSHES = 3, ENABLES = 5, MOODS = 6, ASKS = 7 };

static const struct program seeds[] = {
#include "seed_table.h" /* of seeds.txt, by host_build.py */
	{ 0 },
};

const struct program *seed_programs(size_t *count)
{
	*count = sizeof seeds / sizeof *seeds - 1;
	return seeds;
}

/* The empty program of every scenario, then these. */
void write_seeds(const char *folder)
{
	for (int i = 0; i < SCENARIOS || seeds[i - SCENARIOS].steps; i++) {
		struct program empty = { .scenario = (uint8_t)i };
		const struct program *p = i < SCENARIOS ? &empty : &seeds[i - SCENARIOS];
		char path[512];
		FILE *f;

		snprintf(path, sizeof path, "%s/seed%02d", folder, i);
		f = fopen(path, "wb");
		if (!f || fwrite(p, program_bytes(p), 1, f) != 1 || fclose(f)) {
			perror(path);
			exit(2);
		}
	}
}
