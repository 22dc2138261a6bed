/* SPDX-License-Identifier: BSD-2-Clause */
/* Mistakes of a program, by FAULT. Each is in the innermost function, in a line that names
 * it. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static volatile long zero;
static char *volatile misplaced;

__attribute__((noinline)) static long inner(char *at)
{
	switch (FAULT) {
	case 1:
		assert(zero == 1); /* assert */
		break;
	case 2:
		return *(volatile int *)at; /* unaligned */
	case 3:
		return 7 / zero; /* division */
	case 4:
		for (;;)	/* loop */
			zero++; /* loop */
	case 5:
		__asm__ volatile(".long 0x1c000000"); /* instruction */
		break;
	case 6:
		exit(3); /* exit */
	case 7:
		abort(); /* abort */
	}
	return 0;
}

__attribute__((noinline)) static long middle(char *at)
{
	return inner(at) + zero;
}

int main(void)
{
	static long words[2];

	printf("begin\n");
	misplaced = (char *)words + 1;
	return (int)middle(misplaced) & 1;
}
