/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects of the heap: a list, a table, and one where another has been freed. */
#include <mcpi.h>
#include <stdlib.h>

enum { NODES = 200, TABLE = 8192, STEP = 512 };

struct node {
	struct node *next;
	long value, pad[6];
};

static const volatile long sizes[2 * STEP] = { TABLE, [STEP] = 100 };
static volatile long stored[8 * STEP];

/* The size is still on its way from memory when malloc begins: stores hold the bus. */
__attribute__((noinline)) static void *sized(int which)
{
	register const volatile long *at __asm__("$16") = &sizes[which * STEP];
	register void *(*call)(size_t) __asm__("$27") = malloc;
	register void *found __asm__("$0");

	for (int n = 0; n < 8; n++)
		stored[n * STEP] = n;
	__asm__ volatile("ldq $16, 0($16)\n\t"
			 "jsr $26, ($27), malloc\n\t"
			 "ldgp $29, 0($26)"
			 : "=r"(found), "+r"(at), "+r"(call)
			 :
			 : "memory", "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$17", "$18",
			   "$19", "$20", "$21", "$22", "$23", "$24", "$25", "$26", "$28");
	return found;
}

__attribute__((noinline)) static struct node *make(struct node *next)
{
	struct node *n = calloc(1, sizeof *n);

	n->next = next;
	return n;
}

__attribute__((noinline)) static long sum(const struct node *n, const long *table)
{
	long found = 0;

	for (int i = 0; n; n = n->next, i++)
		found += n->value + table[i * 4];
	return found;
}

int main(void)
{
	struct node *list = NULL;
	long *table = sized(0), *dead = sized(1), *again;

	for (int i = 0; i < NODES; i++)
		list = make(list);
	free(dead);
	again = realloc(NULL, 90); /* where it was */
	again[3] = 0;
	for (int pass = 0; pass < 2; pass++)
		MCPI_MEASURE mcpi_keep(sum(list, table) + again[3]);
	free(list);
	return again == dead ? 0 : 1;
}
