/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up: the x-kernel, then the protocol graph the boot block asks for, then the scheduler. */
#include "platform/platform.h"
#include "xkernel/console.h"
#include "xkernel/graph.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/shepherd.h"
#include "xkernel/thread/thread.h"

enum { STACK_TCP, STACK_RPC, STACKS };

static const char *const graph_names[STACKS] = {
	[STACK_TCP] = "tcp",
	[STACK_RPC] = "rpc",
};

int main(void)
{
	const struct boot_params *boot = plat_boot();
	const struct graph *graph = NULL;
	const char *failed = NULL;

	if (thread_init() || shepherd_init())
		console_fail("no memory for threads and receive messages", NULL);
	event_init();
	if (boot->stack < STACKS)
		graph = graph_find(graph_names[boot->stack]);
	if (!graph)
		console_fail("this image has no such protocol stack", NULL);
	if (graph_start(graph, &failed) < 0)
		console_fail("protocol failed to start", failed);
	plat_ipl_set(IPL_NONE);
	thread_schedule();
}
