/* SPDX-License-Identifier: BSD-2-Clause */
/* One machine, driven line by line, for peers written in other languages. It is 10.0.0.1.
 *
 * usage: solo MACHINE.so ROLE STACK ROUND_TRIPS SEED
 * in:  `d HEX` a frame arrives now; `r TICKS` virtual time passes until then, or until a frame is
 *      sent; `a SKIP COUNT` so many allocations fail after so many that don't; `c NAME NUMBER` the
 *      first so many quadwords of a variable; `b` heap blocks in use; `o` the console.
 * out: after `r`: any `f TICKS HEX`, then `t TICKS EXIT_CODE` (-1: it works); after `c`: `c` and
 *      the numbers; after `b`: `b` and the number; after `o`: `o` and the text in hexadecimal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/host/machine.h"

static struct loaded machine;

static size_t from_hex(const char *text, uint8_t *to, size_t max)
{
	size_t n = 0;
	unsigned byte;

	for (; n < max && sscanf(text + 2 * n, "%2x", &byte) == 1; n++)
		to[n] = (uint8_t)byte;
	return n;
}

static void deliver(const char *hex)
{
	static uint8_t frame[1600];
	size_t bytes = from_hex(hex, frame, sizeof frame);

	machine.deliver(frame, bytes);
}

static void run(uint64_t until)
{
	static struct host_frame f;
	uint64_t now = machine.run(until, 1);

	while (machine.take(&f)) {
		printf("f %llu ", (unsigned long long)f.time);
		for (size_t i = 0; i < f.bytes; i++)
			printf("%02x", f.data[i]);
		printf("\n");
	}
	printf("t %llu %d\n", (unsigned long long)now, machine.exit_code());
}

static void print_variable(char *words)
{
	const char *name = strtok(words, " ");
	uint64_t number = strtoull(strtok(NULL, " "), NULL, 0), *value;

	value = machine_symbol(&machine, name);
	printf("c");
	for (uint64_t i = 0; i < number; i++)
		printf(" %llu", (unsigned long long)value[i]);
	printf("\n");
}

static void print_console(void)
{
	printf("o ");
	for (const char *c = machine.console(); *c; c++)
		printf("%02x", (unsigned char)*c);
	printf("\n");
}

int main(int argc, char **argv)
{
	static char line[4096];

	if (argc != 6)
		return 2;
	machine_load(&machine, argv[1]);
	struct boot_params b = machine_boot(0); /* 10.0.0.1, whatever its role */
	b.role = strtoull(argv[2], NULL, 0);
	b.stack = strtoull(argv[3], NULL, 0);
	b.round_trips = strtoull(argv[4], NULL, 0);
	b.seed = strtoull(argv[5], NULL, 0);
	machine.start(&b, machine.entry);
	while (fgets(line, sizeof line, stdin)) {
		char *end;
		uint64_t number;

		switch (line[0]) {
		case 'd':
			deliver(line + 2);
			continue;
		case 'a':
			number = strtoull(line + 2, &end, 0);
			machine.fail_allocations(number, strtoull(end, NULL, 0));
			continue;
		case 'r':
			run(strtoull(line + 2, NULL, 0));
			break;
		case 'c':
			print_variable(line + 2);
			break;
		case 'b':
			printf("b %llu\n", (unsigned long long)machine.blocks_in_use());
			break;
		case 'o':
			print_console();
			break;
		default:
			fprintf(stderr, "solo: what is '%s'?\n", line);
			return 2;
		}
		fflush(stdout);
	}
	return 0;
}
