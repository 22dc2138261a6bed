/* SPDX-License-Identifier: BSD-2-Clause */
/* Linked if the program has sockets, in the place of start.c's main: the stack is there before the
 * program begins, and works until its connections are closed. */
#include "bsd/bsd.h"
#include "bsd/inet/in_pcb.h"
#include "bsd/tcp/tcp_var.h"
#include "platform/platform.h"
#include "protocols/lance/lance.h"
#include "runtime/arguments.h"
#include "runtime/globals.h"
#include "runtime/socket/calls.h"
#include "stdio.h"
#include "stdlib.h"
#include "unistd.h"
#include "xkernel/console.h"
#include "xkernel/graph.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/shepherd.h"

#ifndef VOID_MAIN
#define VOID_MAIN 0 /* main returns nothing, and its end is a success */
#endif

enum {
	START_US = 5000,      /* by then the other machine hears us */
	HEAD_START_US = 3000, /* of the second machine, which may listen then */
	LINGER_US = 1000,     /* so that the last ACK leaves before we do */
	LOOK_US = 500000,
	LOOKS = 4, /* 2 s in one call, without a segment */
	FIRST_STACK_BYTES = 4096,
};

int __real_main(int argc, char **argv);
int __wrap_main(void);

static struct xobj lance, bsd;

static const struct graph_node nodes[] = {
	{ "lance", lance_init, &lance, { NULL } },
	{ "bsd", bsd_init, &bsd, { &lance } },
};

const struct graph graph_table[] = { { "sockets", nodes, sizeof nodes / sizeof *nodes } };
const size_t graph_count = 1;
const struct graph_number graph_numbers[] = { { "", "", 0 } };
const size_t graph_numbers_count;

static struct thread program;
static plat_context begun, unused;
static uint8_t first_stack[FIRST_STACK_BYTES] __attribute__((aligned(16)));

static void schedule(void *arg)
{
	thread_schedule();
}

static void go_on(void *arg)
{
	plat_switch(&unused, begun);
}

/* The caller goes on as a thread, on the stack that it has. */
static void become_a_thread(void)
{
	thread_ready(&program, go_on, NULL);
	plat_switch(&begun, plat_context_make(first_stack, sizeof first_stack, schedule, NULL));
}

/* Says for what main waits, once for each time. */
static void watch(void *arg)
{
	static struct event again;
	static const char *call;
	static uint64_t segments;
	static int quiet;
	uint64_t now = tcpstat.segments_received + tcpstat.segments_sent;

	quiet = waiting.call && waiting.call == call && now == segments ? quiet + 1 : 0;
	call = waiting.call;
	segments = now;
	if (quiet == LOOKS && waiting.file)
		printf("mcpi: %s(%d), port %u, has waited 2 s: %s\n", waiting.call, waiting.file,
		       waiting.port, waiting.since_what);
	else if (quiet == LOOKS)
		printf("mcpi: %s has waited 2 s: %s\n", waiting.call, waiting.since_what);
	event_schedule(&again, watch, NULL, LOOK_US);
}

static void start(void)
{
	const char *which = NULL;

	if (thread_init() || shepherd_init())
		console_fail("no memory for threads and receive messages", NULL);
	event_init();
	if (graph_start(graph_table, &which) < 0)
		console_fail("the stack does not start", which);
	become_a_thread();
	watch(NULL);
	usleep(START_US + (plat_boot()->role == 0 ? HEAD_START_US : 0));
}

static int somebody_is_left(void)
{
	const struct inpcb *p = tcb.first;

	while (p && (!tcpcb_of(p) || tcpcb_of(p)->state == TCPS_TIME_WAIT))
		p = p->next;
	return p != NULL;
}

static void end(void)
{
	sockets_close();
	waiting = (struct waiting){ "the end of main", "the other program has not closed", 0, 0 };
	while (somebody_is_left())
		usleep(LINGER_US);
	usleep(LINGER_US);
}

int __wrap_main(void)
{
	int code;

	start();
	mcpi_construct();
	code = __real_main(MCPI_ARGUMENT_COUNT, mcpi_arguments);
	mcpi_destroy();
	if (VOID_MAIN)
		code = 0;
	if (!code)
		end();
	plat_ipl_set(IPL_HIGH);
	return code;
}

void exit(int code)
{
	mcpi_destroy();
	if (!code)
		end();
	plat_ipl_set(IPL_HIGH);
	plat_exit(code);
}
