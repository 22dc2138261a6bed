/* SPDX-License-Identifier: BSD-2-Clause */
/* usage: fuzz --replay FILE...        runs inputs, each in a process of its own
 *        fuzz --once FILE             runs one in this process, for a debugger
 * Exits with 1 if an input breaks something. libfuzzer.c finds such inputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/fuzz/fuzz.h"

static struct program read_program(const char *path)
{
	uint8_t bytes[sizeof(struct program)];
	FILE *f = fopen(path, "rb");
	size_t size;

	if (!f) {
		perror(path);
		exit(2);
	}
	size = fread(bytes, 1, sizeof bytes, f);
	fclose(f);
	return program_from(bytes, size);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--once")) {
		struct program p = read_program(argv[2]);

		fuzz_start();
		fuzz_run(&p);
		printf("nothing found\n");
		return 0;
	}
	if (argc < 3 || strcmp(argv[1], "--replay")) {
		fprintf(stderr, "usage: fuzz --replay FILE... | --once FILE\n");
		return 2;
	}
	fuzz_start();
	for (int i = 2; i < argc; i++) {
		struct program p = read_program(argv[i]);

		if (run_in_child(&p, NULL)) {
			printf("finding; again: fuzz --once %s\n", argv[i]);
			return 1;
		}
	}
	return 0;
}
