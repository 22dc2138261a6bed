/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsd/kern/softnet.h"

#include "bsd/kern/spl.h"
#include "platform/marker.h"
#include "xkernel/thread/thread.h"

struct softstat softstat;
int softnet_pending;

static struct thread thread;
static int queued; /* the thread has been made ready and has not begun */
static void (*handler)(void);

void softnet_run(int level)
{
	plat_ipl_set(SPL_SOFTNET);
	while (softnet_pending) {
		softnet_pending = 0; /* a request from here on is another run */
		softstat.by_splx++;
		handler();
	}
	plat_ipl_set(level);
}

/* The path begins here, after the switch to this thread. */
static __attribute__((noinline)) void run(void *arg)
{
	(void)arg;
	queued = 0;
	if (!softnet_pending)
		return;
	MARK(MARK_OPEN, WINDOW_PATH);
	plat_ipl_set(SPL_SOFTNET);
	softnet_pending = 0;
	softstat.by_thread++;
	handler();
	plat_ipl_set(IPL_NONE);
	MARK(MARK_CLOSE, WINDOW_PATH);
}

void softnet_start(void (*f)(void))
{
	handler = f;
	softnet_pending = queued = 0;
	softstat = (struct softstat){ 0 };
}

void softnet_request(void)
{
	int level = plat_ipl_raise(IPL_HIGH), first = !queued;

	softnet_pending = queued = 1;
	softstat.requested++;
	if (first)
		thread_ready(&thread, run, NULL);
	plat_ipl_set(level);
}
