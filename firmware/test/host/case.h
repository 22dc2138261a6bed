/* SPDX-License-Identifier: BSD-2-Clause */
/* Test cases: each runs in a process of its own, `host_tests NAME`. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

struct test_case {
	const char *name, *file;
	int line;
	void (*run)(void);
	const struct test_case *next;
};

void case_list(struct test_case *c); /* host_tests.c */
void case_ends(void);		     /* after each, if the program has it: what always holds */

/* CASE(name, set-up) { steps }: lists the case. The set-up, if any, is statements that run first.
 */
#define CASE(id, ...)                                                                              \
	static void steps_of_##id(void);                                                           \
	static void run_##id(void)                                                                 \
	{                                                                                          \
		__VA_ARGS__;                                                                       \
		steps_of_##id();                                                                   \
	}                                                                                          \
	__attribute__((constructor)) static void list_##id(void)                                   \
	{                                                                                          \
		static struct test_case c = { #id, __FILE__, __LINE__, run_##id, NULL };           \
		case_list(&c);                                                                     \
	}                                                                                          \
	static void steps_of_##id(void)

/* A case that is one call: with its numbers it is a row of a table. */
#define CASE_IS(id, ...)                                                                           \
	CASE(id)                                                                                   \
	{                                                                                          \
		__VA_ARGS__;                                                                       \
	}

/* Which allocation fails: from the environment (test_host.py, one process each), else `usual`. */
static inline unsigned long long allocation_to_fail(unsigned long long usual)
{
	const char *skip = getenv("FAIL_ALLOCATION");

	return skip ? strtoull(skip, NULL, 0) : usual;
}

#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(a, b)                                                                          \
	check_equal((unsigned long long)(a), (unsigned long long)(b), #a " == " #b, __FILE__,      \
		    __LINE__)

static inline void check(int ok, const char *what, const char *file, int line)
{
	if (ok)
		return;
	fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
	exit(1);
}

static inline void check_equal(unsigned long long a, unsigned long long b, const char *what,
			       const char *file, int line)
{
	if (a == b)
		return;
	fprintf(stderr, "%s:%d: failed: %s (%llu, %llu)\n", file, line, what, a, b);
	exit(1);
}
