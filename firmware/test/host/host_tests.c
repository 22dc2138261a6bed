/* SPDX-License-Identifier: BSD-2-Clause */
/* usage: host_tests --list | host_tests NAME... | host_tests --apart NAME[=SKIP]...
 *
 * --apart: each case in a process of its own, a fork of this one, because to start the sanitizers
 * takes longer than most cases; a line for each that fails. SKIP is its FAIL_ALLOCATION. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/host/case.h"

static const struct test_case *all;

void case_list(struct test_case *c)
{
	c->next = all;
	all = c;
}

__attribute__((weak)) void case_ends(void)
{
}

static void say_which(int status, void *arg)
{
	const struct test_case *c = arg;

	if (status)
		fprintf(stderr, "%s:%d: the case %s\n", c->file, c->line, c->name);
}

static void run(const struct test_case *c)
{
	on_exit(say_which, (void *)c);
	c->run();
	case_ends();
}

/* 0: the case passed. */
static int run_apart(const struct test_case *c, const char *skip)
{
	int status = 1;
	pid_t child = fork();

	if (!child) {
		if (skip)
			setenv("FAIL_ALLOCATION", skip, 1);
		run(c);
		exit(0);
	}
	if (child > 0)
		waitpid(child, &status, 0);
	if (status)
		printf("failed %s%s%s\n", c->name, skip ? "=" : "", skip ? skip : "");
	fflush(stdout); /* else the next child has it too */
	return status;
}

static const struct test_case *case_of(const char *name, size_t length)
{
	const struct test_case *c = all;

	while (c && (strncmp(name, c->name, length) || c->name[length]))
		c = c->next;
	return c;
}

int main(int argc, char **argv)
{
	int apart = argc > 1 && !strcmp(argv[1], "--apart"), failed = 0;

	if (argc == 2 && !strcmp(argv[1], "--list")) {
		for (const struct test_case *c = all; c; c = c->next)
			puts(c->name);
		return 0;
	}
	for (int a = 1 + apart; a < argc; a++) {
		const char *skip = strchr(argv[a], '=');
		const struct test_case *c =
		    case_of(argv[a], skip ? (size_t)(skip - argv[a]) : strlen(argv[a]));

		if (!c)
			return 2;
		if (apart)
			failed |= run_apart(c, skip ? skip + 1 : NULL);
		else
			run(c);
	}
	return failed ? 1 : 0;
}
