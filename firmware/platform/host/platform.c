/* SPDX-License-Identifier: BSD-2-Clause */
/* plat_*: interrupts are taken where the kernel lowers its level, time passes where it sleeps. */
#include <stdlib.h>
#include <string.h>

#include "platform/host/host_private.h"
#include "xkernel/thread/thread.h"

static struct boot_params boot;
static uint64_t now, deadline, next_timer;
static uint64_t timer_step, timer_step_rest, timer_rest;
static int level = IPL_HIGH, network, exit_code = HOST_RUNNING;
static int stop_at_frame, frame_sent, kicked, network_held, raised;
static void (*timer_handler)(void), (*network_handler)(void), (*watcher)(void);
static char console[65536];
static size_t console_bytes;

const struct boot_params *plat_boot(void)
{
	return &boot;
}

/* The n-th is n seconds / timer_hz from the start, rounded down; without a division, as the fuzzer
 * lets hours pass. */
static void set_next_timer(void)
{
	timer_rest += timer_step_rest;
	next_timer += timer_step;
	if (timer_rest >= boot.timer_hz) {
		timer_rest -= boot.timer_hz;
		next_timer++;
	}
}

static void take_interrupts(void)
{
	int before = level;

	while (network && !network_held && before < IPL_NET && network_handler) {
		level = IPL_NET;
		network_handler();
		level = before;
	}
}

int plat_ipl_raise(int wanted)
{
	int before = level;

	raised = 1;
	if (wanted > level)
		level = wanted;
	return before;
}

int plat_ipl_set(int wanted)
{
	int before = level;

	level = wanted;
	take_interrupts();
	return before;
}

/* Time passes only where the kernel sleeps, so the timer's interrupt is taken here. A handler that
 * does not raise the level has made nothing ready: the kernel sleeps on, which makes the hours that
 * pass in a test cheap. */
static void timer_tick(void)
{
	now = next_timer;
	set_next_timer();
	network_held = 0;
	if (!timer_handler)
		return;
	raised = 0;
	level = IPL_CLOCK;
	timer_handler();
	level = IPL_HIGH;
	kicked = raised;
}

void host_watch(void (*f)(void))
{
	watcher = f;
}

void plat_wait_for_interrupt(void)
{
	if (watcher)
		watcher();
	while ((!network || network_held) && !kicked) {
		if (frame_sent && stop_at_frame) {
			host_leave_kernel();
		} else if (next_timer <= deadline) {
			timer_tick();
		} else {
			now = deadline;
			host_leave_kernel();
		}
	}
	kicked = 0;
}

void plat_on_timer(void (*handler)(void))
{
	timer_handler = handler;
}

void plat_on_network(void (*handler)(void))
{
	network_handler = handler;
}

uint64_t plat_ticks(void)
{
	return now;
}

void plat_memory_barrier(void)
{
}

void plat_putc(char c)
{
	if (console_bytes < sizeof console - 1)
		console[console_bytes++] = c;
}

void plat_exit(int code)
{
	exit_code = code;
	for (;;)
		host_leave_kernel();
}

void host_raise_network(int line)
{
	network = line;
}

void host_hold_network(void)
{
	network_held = 1;
}

void host_frame_sent(void)
{
	frame_sent = 1;
}

void host_start(const struct boot_params *parameters, int (*entry)(void))
{
	boot = *parameters;
	timer_step = boot.ticks_per_us * 1000000 / boot.timer_hz;
	timer_step_rest = boot.ticks_per_us * 1000000 % boot.timer_hz;
	set_next_timer();
	host_make_kernel(entry);
	host_run(0, 0);
}

uint64_t host_run(uint64_t time, int until_frame)
{
	if (exit_code != HOST_RUNNING)
		return now;
	if (time > now)
		deadline = time;
	else
		deadline = now;
	stop_at_frame = until_frame;
	frame_sent = 0;
	kicked = 1; /* the caller may have made something ready */
	host_enter_kernel();
	return now;
}

uint64_t host_now(void)
{
	return now;
}

int host_exit_code(void)
{
	return exit_code;
}

const char *host_console(void)
{
	console[console_bytes] = 0;
	return console;
}

struct call {
	struct thread thread;
	void (*f)(void *);
	void *arg;
};

static void run_call(void *arg)
{
	struct call *c = arg;

	c->f(c->arg);
	free(c);
}

void host_call(void (*f)(void *arg), void *arg)
{
	struct call *c = calloc(1, sizeof *c);

	c->f = f;
	c->arg = arg;
	thread_ready(&c->thread, run_call, c);
	host_run(now, 0);
}
