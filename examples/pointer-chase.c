/* SPDX-License-Identifier: BSD-2-Clause */
/* How long does a load take that needs the one before it? A ring of pointers in random order, in
 * ever more memory: what fits into the D-cache, what fits into the b-cache, what fits into neither.
 * All is measured on the second walk. */
#include <mcpi.h>
#include <stdlib.h>

enum { LOADS = 2048, BLOCK = 32 };

struct node {
	struct node *next;
	char rest[BLOCK - sizeof(struct node *)];
};

/* One ring through all nodes (Sattolo's shuffle). */
static struct node *ring(struct node *nodes, int count)
{
	int *order = malloc((size_t)count * sizeof *order), n, other, kept;

	for (n = 0; n < count; n++)
		order[n] = n;
	for (n = count - 1; n > 0; n--) {
		other = rand() % n;
		kept = order[n];
		order[n] = order[other];
		order[other] = kept;
	}
	for (n = 0; n < count; n++)
		nodes[order[n]].next = &nodes[order[(n + 1) % count]];
	free(order);
	return nodes;
}

static struct node *walk(struct node *at, int loads)
{
	while (loads--)
		at = at->next;
	return at;
}

#define CHASE(name, bytes)                                                                         \
	do {                                                                                       \
		struct node *at = walk(ring(nodes, (bytes) / BLOCK), (bytes) / BLOCK);             \
		MCPI_MEASURE_AS(name)                                                              \
		{                                                                                  \
			at = walk(at, LOADS);                                                      \
			mcpi_keep(at);                                                             \
		}                                                                                  \
	} while (0)

int main(void)
{
	struct node *nodes = calloc(8 << 20, 1);

	CHASE("4 KB", 4 << 10);
	CHASE("8 KB", 8 << 10);
	CHASE("16 KB", 16 << 10);
	CHASE("64 KB", 64 << 10);
	CHASE("1 MB", 1 << 20);
	CHASE("4 MB", 4 << 20);
	return 0;
}
