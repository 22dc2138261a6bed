/* SPDX-License-Identifier: BSD-2-Clause */
/* usage: host_tests --list | host_tests NAME... */
#include <string.h>

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

int main(int argc, char **argv)
{
	int list = argc == 2 && !strcmp(argv[1], "--list"), found = 0;

	for (const struct test_case *c = all; c; c = c->next) {
		if (list)
			puts(c->name);
		for (int a = 1; a < argc; a++) {
			if (strcmp(argv[a], c->name))
				continue;
			on_exit(say_which, (void *)c);
			c->run();
			case_ends();
			found++;
		}
	}
	return list || found == argc - 1 ? 0 : 2;
}
