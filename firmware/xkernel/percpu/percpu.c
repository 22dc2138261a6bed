/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/percpu/percpu.h"

#include "xkernel/console.h"

struct percpu percpu_of[XK_CPUS];
static struct lock_node nodes[XK_CPUS][PERCPU_NODES] __attribute__((aligned(128)));

#ifndef __alpha__
_Thread_local struct percpu *percpu_mine;
#endif

void percpu_start(uint64_t number)
{
	percpu_mine = &percpu_of[number];
	percpu_mine->number = number;
	percpu_mine->nodes = NULL;
	for (int i = 0; i < PERCPU_NODES; i++)
		percpu_node_give(&nodes[number][i]);
}

struct lock_node *percpu_node_take(void)
{
	struct lock_node *node = percpu_mine->nodes;

	if (PREDICT_FALSE(!node))
		console_fail("a processor holds too many locks", NULL);
	percpu_mine->nodes = (struct lock_node *)(uintptr_t)node->of_owner;
	return node;
}

void percpu_node_give(struct lock_node *node)
{
	node->of_owner = (uintptr_t)percpu_mine->nodes;
	percpu_mine->nodes = node;
}
