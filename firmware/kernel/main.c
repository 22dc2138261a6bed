/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up of an image with processes: the x-kernel's threads, the kernel, the structure, the
 * application. The machine's work ends when the application's last process does. */
#include "kernel/port.h"
#include "kernel/structure.h"
#include "kernel/syscall.h"
#include "platform/platform.h"
#include "xkernel/console.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/shepherd.h"
#include "xkernel/thread/thread.h"

static const struct space *first_space;
static int over, status; /* the application has ended, with this */

/* On the console, what is not zero. */
static void say_counts(void)
{
	for (const struct count *c = structure.counts; c->name; c++) {
		if (!*c->value)
			continue;
		console_text(c->name);
		console_text(" ");
		console_number(*c->value);
		console_text("\n");
	}
}

static _Noreturn void leave(int status)
{
	say_counts();
	plat_exit(status);
}

/* A structure with a server has the last word when the server does. */
static void ended(struct process *p, int last)
{
	if (over)
		leave(status);
	if (last && structure.sockets.ended)
		structure.sockets.ended(p);
	if (!last || p->space != first_space)
		return;
	if (p->status < 0)
		console_fail(p->program.name, p->why);
	status = p->status;
	over = structure.finish && structure.finish() == 0;
	if (!over)
		leave(status);
}

int main(void)
{
	const struct process *first;

	if (thread_init() || shepherd_init())
		console_fail("no memory for threads and receive buffers", NULL);
	event_init();
	over = 0;
	processes_start(syscall_do, ended);
	ports_start();
	if (structure.start() < 0)
		console_fail("the structure failed to start", structure.name);
	first = process_start_with_boot(&first_program);
	if (!first)
		console_fail("no memory for the first process", NULL);
	first_space = first->space;
	plat_ipl_set(IPL_NONE);
	thread_schedule();
}
