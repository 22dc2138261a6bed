/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/softint.h"

#include "xkernel/thread/thread.h"

struct softint_counts softint_counts;

static struct thread thread;
static void (*handler)(void);
static int requested;

static void run(void *arg)
{
	(void)arg;
	requested = 0; /* a request from here on is another run */
	softint_counts.run++;
	handler();
}

void softint_start(void (*f)(void))
{
	handler = f;
	requested = 0;
	softint_counts = (struct softint_counts){ 0 };
}

void softint_request(void)
{
	int level = plat_ipl_raise(IPL_HIGH), first = !requested;

	requested = 1;
	softint_counts.requested++;
	if (first)
		thread_ready(&thread, run, NULL);
	plat_ipl_set(level);
}
