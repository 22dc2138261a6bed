/* SPDX-License-Identifier: BSD-2-Clause */
/* Every input in a process of its own: it begins on the machine that has just been started. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/fuzz/fuzz.h"

enum { HANG_SECONDS = 4 };

int run_in_child(const struct program *p, void (*before_exit)(void))
{
	int status = 0;

	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		struct rlimit processor = { HANG_SECONDS, HANG_SECONDS };

		setrlimit(RLIMIT_CPU, &processor);
		fuzz_run(p);
		if (before_exit) {
			before_exit();
			_exit(0); /* what libFuzzer does at exit is the parent's */
		}
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child ||
	    !(WIFEXITED(status) || WIFSIGNALED(status))) {
		perror("fork");
		exit(2);
	}
	if (WIFSIGNALED(status))
		fprintf(stderr, "signal %d%s\n", WTERMSIG(status),
			WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU ? ": it hangs"
										   : "");
	return status;
}
