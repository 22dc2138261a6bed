/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/smp/processors.h"

#include <pthread.h>

#include "platform/platform.h"

struct processor {
	unsigned number;
	void (*work)(unsigned number, void *arg);
	void *arg;
	pthread_t thread;
	pthread_barrier_t *start;
};

static void *run(void *arg)
{
	struct processor *p = arg;

	percpu_start(p->number);
	pthread_barrier_wait(p->start);
	p->work(p->number, p->arg);
	return NULL;
}

void on_processors(unsigned n, void (*work)(unsigned number, void *arg), void *arg)
{
	struct processor all[XK_CPUS];
	pthread_barrier_t start;

	CHECK(n >= 1 && n <= XK_CPUS);
	CHECK(!pthread_barrier_init(&start, NULL, n));
	for (unsigned i = 0; i < n; i++) {
		all[i] = (struct processor){ i, work, arg, 0, &start };
		CHECK(!pthread_create(&all[i].thread, NULL, run, &all[i]));
	}
	for (unsigned i = 0; i < n; i++)
		CHECK(!pthread_join(all[i].thread, NULL));
	pthread_barrier_destroy(&start);
}

/* Cases begin and end on processor 0. */
__attribute__((constructor)) static void begin(void)
{
	percpu_start(0);
}

uint64_t from_environment(const char *name, uint64_t usual)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : usual;
}

/* The part of platform.h that the kernel's objects use. There is no scheduler and no interrupt
 * here: the interval timer ticks when a case says so. */

const struct boot_params *plat_boot(void)
{
	static const struct boot_params boot = {
		.mac = 0x0a0000000002,
		.peer_mac = 0x0b0000000002,
		.ip = 0x0a000001,
		.peer_ip = 0x0a000002,
		.netmask = 0xffffff00,
		.seed = 1,
		.ticks_per_us = 100,
		.timer_hz = 100,
	};

	return &boot;
}

int plat_ipl_raise(int level)
{
	return IPL_NONE;
}

int plat_ipl_set(int level)
{
	return IPL_NONE;
}

static void (*on_timer)(void);

void plat_on_timer(void (*handler)(void))
{
	on_timer = handler;
}

void timer_ticks(unsigned n)
{
	while (n--)
		on_timer();
}

void plat_wait_for_interrupt(void)
{
	abort();
}

plat_context plat_context_make(void *stack, size_t bytes, void (*entry)(void *), void *arg)
{
	abort();
}

void plat_switch(plat_context *from, plat_context to)
{
	abort();
}

/* Lines are whole, also when two processors find a mistake at once. */
void plat_putc(char c)
{
	static _Thread_local char line[200];
	static _Thread_local size_t used;

	line[used++] = c;
	if (c == '\n' || used == sizeof line) {
		fwrite(line, 1, used, stderr);
		used = 0;
	}
}

void plat_exit(int code)
{
	_Exit(code);
}
