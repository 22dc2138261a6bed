/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/percpu/percpu.h"

#include "xkernel/console.h"

struct percpu percpu_of[XK_CPUS];
static struct lock_node nodes[XK_CPUS][PERCPU_NODES] __attribute__((aligned(128)));

#ifndef __alpha__
_Thread_local struct percpu *percpu_mine;
#endif

/* Spare nodes, beyond a processor's own number. CLH hands a node to the successor for good: a
 * processor that often finds a lock free and leaves it to another would run out. */
static struct lock_node *spare;
static struct lock spare_lock;

static struct lock_node *next_of(const struct lock_node *node)
{
	return (struct lock_node *)(uintptr_t)node->of_owner;
}

static void put(struct lock_node **list, struct lock_node *node)
{
	node->of_owner = (uintptr_t)*list;
	*list = node;
}

static struct lock_node *from_spare(void)
{
	struct lock_node *node;

	lock_acquire(&spare_lock, LOCK_MUTEX);
	node = spare;
	if (PREDICT_FALSE(!node))
		console_fail("a processor holds too many locks", NULL);
	spare = next_of(node);
	lock_release(&spare_lock, LOCK_MUTEX);
	return node;
}

void percpu_start(uint64_t number)
{
	percpu_mine = &percpu_of[number];
	percpu_mine->number = number;
	percpu_mine->nodes = NULL;
	percpu_mine->nodes_kept = 0;
	for (int i = 0; i < PERCPU_NODES; i++)
		percpu_node_give(&nodes[number][i]);
}

struct lock_node *percpu_node_take(void)
{
	struct lock_node *node = percpu_mine->nodes;

	if (PREDICT_FALSE(!node))
		return from_spare();
	percpu_mine->nodes = next_of(node);
	percpu_mine->nodes_kept--;
	return node;
}

void percpu_node_give(struct lock_node *node)
{
	if (PREDICT_FALSE(percpu_mine->nodes_kept == PERCPU_NODES)) {
		lock_acquire(&spare_lock, LOCK_MUTEX);
		put(&spare, node);
		lock_release(&spare_lock, LOCK_MUTEX);
		return;
	}
	put(&percpu_mine->nodes, node);
	percpu_mine->nodes_kept++;
}
