/* SPDX-License-Identifier: BSD-2-Clause */
/* usage: fuzz --replay FILE...        runs inputs, each in a process of its own
 *        fuzz --once FILE             runs one in this process, for a debugger
 *        fuzz --refuse FILE...        runs each again and again, another allocation fails each time
 *        fuzz --refuse-start          the same with the start of the machine
 *        fuzz --live tcp|rpc SEED INPUTS   runs so many on one machine that lives through all
 *        fuzz --seeds FOLDER          writes what begins a corpus
 * Exits with 1 if an input breaks something. libfuzzer.c finds such inputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/host/host.h"
#include "test/fuzz/fuzz.h"
#include "test/host/peer.h"

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

/* In the child: 3 if the program has asked for less memory than that. */
static void note_end(void)
{
	if (fuzz_allocations() <= fuzz_refuse)
		_exit(3);
}

/* 0: none of its allocations brings the machine down when it fails. */
static int refuse_each(const char *path)
{
	struct program p = read_program(path);

	for (fuzz_refuse = 0;; fuzz_refuse++) {
		int status = run_in_child(&p, note_end);

		if (WIFEXITED(status) && WEXITSTATUS(status) == 3)
			return 0;
		if (status) {
			printf("finding; again: fuzz --refuse %s; allocation %lld\n", path,
			       (long long)fuzz_refuse);
			return 1;
		}
	}
}

/* In a child, which ends with 0, whether it then runs or has said that it cannot; or with 2: it did
 * not ask for so many. */
static int start_without(uint64_t allocation)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		host_fail_allocations(allocation, 1);
		kernel_begin(0);
		_exit(host_allocations() <= allocation ? 2 : 0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
	    WEXITSTATUS(status) == 1) {
		printf("finding; allocation %llu of the start\n", (unsigned long long)allocation);
		exit(1);
	}
	return WEXITSTATUS(status);
}

static int refuse_start(void)
{
	uint64_t allocation = 0;

	while (start_without(allocation) == 0)
		allocation++;
	return allocation < 40;
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
	if (argc == 3 && !strcmp(argv[1], "--seeds")) {
		write_seeds(argv[2]);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "--refuse-start"))
		return refuse_start();
	if (argc == 5 && !strcmp(argv[1], "--live") &&
	    (!strcmp(argv[2], "tcp") || !strcmp(argv[2], "rpc")))
		return fuzz_live(strcmp(argv[2], "tcp") ? LIVE_RPC : LIVE_TCP,
				 strtoull(argv[3], NULL, 0), strtoull(argv[4], NULL, 0));
	if (argc < 3 || (strcmp(argv[1], "--replay") && strcmp(argv[1], "--refuse"))) {
		fprintf(stderr, "usage: fuzz --replay FILE... | --once FILE | --refuse FILE... | "
				"--refuse-start | --live tcp|rpc SEED INPUTS | "
				"--seeds FOLDER\n");
		return 2;
	}
	fuzz_start();
	for (int i = 2; i < argc && !strcmp(argv[1], "--refuse"); i++)
		if (refuse_each(argv[i]))
			return 1;
	for (int i = 2; i < argc && !strcmp(argv[1], "--replay"); i++) {
		struct program p = read_program(argv[i]);

		if (run_in_child(&p, NULL)) {
			printf("finding; again: fuzz --once %s\n", argv[i]);
			return 1;
		}
	}
	return 0;
}
