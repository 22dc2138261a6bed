/* SPDX-License-Identifier: BSD-2-Clause */
/* The smallest image: says hello, waits for a few timer interrupts, switches contexts, leaves. */
#include "platform/platform.h"

enum { TIMER_INTERRUPTS = 3 };

static volatile int interrupts;
static plat_context main_context, other_context;
static uint64_t other_stack[1024];

static void print(const char *text)
{
	while (*text)
		plat_putc(*text++);
}

static void on_timer(void)
{
	interrupts++;
}

static void other(void *arg)
{
	for (;;) {
		print(arg);
		plat_switch(&other_context, main_context);
	}
}

int main(void)
{
	uint64_t start;

	print("hello from the ");
	print(plat_boot()->role ? "server\n" : "client\n");

	other_context =
	    plat_context_make(other_stack, sizeof other_stack, other, "other context\n");
	plat_switch(&main_context, other_context);
	plat_switch(&main_context, other_context);

	start = plat_ticks();
	plat_on_timer(on_timer);
	while (interrupts < TIMER_INTERRUPTS) {
		plat_wait_for_interrupt();
		plat_ipl_set(IPL_NONE);
		plat_ipl_set(IPL_HIGH);
	}
	print("timer\n");
	return plat_ticks() > start ? 0 : 1;
}
