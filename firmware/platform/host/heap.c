/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's heap as malloc, so that the address sanitizer sees every block; fails on demand.
 * MCPI_HOST_REFUSED names a file to which each call that was refused adds where it came from. */
#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/host/host.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/thread/thread.h"

static uint64_t asked, in_use, stacks, fail_from = UINT64_MAX, fail_until = UINT64_MAX;

/* A line: the program and the return addresses on the way to here, as offsets in it. */
static void note(void)
{
	const char *path = getenv("MCPI_HOST_REFUSED");
	FILE *file = path ? fopen(path, "a") : NULL;
	void *callers[8];
	Dl_info object;
	int n;

	if (!file)
		return;
	n = backtrace(callers, 8);
	if (!dladdr(&asked, &object))
		abort();
	fprintf(file, "%s", object.dli_fname);
	for (int i = 0; i < n; i++)
		fprintf(file, " %#lx",
			(unsigned long)((char *)callers[i] - (char *)object.dli_fbase));
	fprintf(file, "\n");
	fclose(file);
}

void *xk_allocate(size_t bytes)
{
	uint64_t n = asked++;
	void *block;

	if (n >= fail_from && n < fail_until) {
		note();
		return NULL;
	}
	block = malloc(bytes);
	if (block) {
		memset(block, 0xa5, bytes); /* nobody may count on zeroes */
		in_use++;
		stacks += bytes == STACK_BYTES;
	}
	return block;
}

void *xk_allocate_zeroed(size_t bytes)
{
	void *block = xk_allocate(bytes);

	if (block)
		memset(block, 0, bytes);
	return block;
}

void xk_free(void *block)
{
	if (block)
		in_use--;
	free(block);
}

void host_fail_allocations(uint64_t skip, uint64_t count)
{
	fail_from = asked + skip;
	fail_until = fail_from + count;
}

uint64_t host_allocations(void)
{
	return asked;
}

uint64_t host_blocks_in_use(void)
{
	return in_use;
}

uint64_t host_stacks(void)
{
	return stacks;
}
