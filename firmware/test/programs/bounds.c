/* SPDX-License-Identifier: BSD-2-Clause */
/* How a program leaves its bounds, by BOUNDS. Each is in a line that names it; 0 to 9 do not. */
#include <mcpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KB = 1024 };

struct node {
	long value;
	struct node *next;
};

static struct node *volatile none;
static void (*volatile nowhere)(void);
static volatile long sink;

__attribute__((noinline)) static long deep(long n)
{ /* recursion */
	volatile char some[200];

	some[n & 127] = (char)n;
	return n ? deep(n - 1) + some[0] : 0;
}

__attribute__((noinline)) static int array(long bytes)
{
	volatile char all[bytes]; /* array */

	all[0] = 1;
	all[bytes - 1] = 2;
	return all[0];
}

__attribute__((noinline)) static int large(void)
{				      /* large */
	volatile char all[1100 * KB]; /* large */

	all[17] = 1;
	return all[17];
}

__attribute__((noinline)) static void write_to(uint64_t at)
{
	*(volatile uint64_t *)at = 1; /* write */
}

__attribute__((noinline)) static uint64_t read_from(uint64_t at)
{
	return *(volatile uint64_t *)at; /* read */
}

__attribute__((noinline)) static int smash(size_t bytes)
{
	char few[8];

	memset(few, 'A', bytes);
	mcpi_keep(few);
	return few[0];
} /* smash */

/* Another stack, as of a thread of the program's own, below the first. */
__attribute__((noinline)) static void switch_stack(void)
{
	static char other[4096] __attribute__((aligned(16)));

	__asm__ volatile("bis $30, $30, $9\n\tbis %0, %0, $30\n\tlda $30, -64($30)\n\t"
			 "stq $26, 0($30)\n\tstq $31, 8($30)\n\tlda $30, 64($30)\n\t"
			 "bis $9, $9, $30"
			 :
			 : "r"(other + sizeof other)
			 : "$9", "memory");
}

__attribute__((noinline)) static void go(void)
{
	switch (BOUNDS) {
	case 0: /* as far as it goes: three quarters and nearly all of the stack, the heap's ends */
		sink = deep(3000) + array(1010 * KB) + array(3);
		for (size_t bytes = (size_t)60 * KB * KB; bytes; bytes /= 2) {
			char *object = malloc(bytes);
			if (object)
				object[0] = object[bytes - 1] = 1;
		}
		sink = (long)read_from((uint64_t)&sink);
		switch_stack();
		break;
	case 10:
		sink = deep(1000000);
		break;
	case 11:
		sink = array(1023 * KB + 1000);
		break;
	case 12:
		sink = array(1100 * KB);
		break;
	case 13:
		sink = array(9000 * KB);
		break;
	case 14:
		sink = large();
		break;
	case 15:
		sink = none->next->value; /* null */
		break;
	case 16:
		nowhere(); /* jump */
		break;
	case 17:
		nowhere = (void (*)(void))0x4140; /* not NULL, and no code */
		nowhere();			  /* jump */
		break;
	case 18:
		sink = smash(64);
		break;
	case 19:
		write_to(0xfffffc0000000100); /* below the image */
		break;
	case 20:
		write_to(0xfffffc0000010000); /* PALcode */
		break;
	case 21:
		sink = (long)read_from(0xfffffc0004000000); /* after RAM */
		break;
	case 22:
		sink = (long)read_from(0x4141414141414140);
		break;
	}
}

int main(void)
{
	printf("begin\n");
	if (mcpi_node() == NODE)
		go();
	printf("end\n");
	return 0;
}
