/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls PALcode as palcode.md describes it; exit code 0 or the number of the first check that
 * fails. Wants the timer and nothing else. */
#include "boot/palcode.h"
#include "machine.h"
#include "platform/alpha/device.h"
#include "platform/alpha/pal.h"
#include "platform/platform.h"

enum { INTERRUPTS = 12 };

static volatile uint64_t interrupts, nested_level;
static int checks;

uint64_t registers_kept(volatile uint64_t *count, uint64_t until);

static void check(int good)
{
	checks++;
	if (!good)
		plat_exit(checks);
}

static uint64_t call(uint64_t function, uint64_t argument)
{
	register uint64_t result __asm__("$0") = 0;
	register uint64_t a __asm__("$16") = argument;

#define CASE(f)                                                                                    \
	case f:                                                                                    \
		__asm__ volatile("call_pal %2" : "+r"(result), "+r"(a) : "i"(f) : PAL_SPOILS);     \
		break
	switch (function) {
		CASE(PAL_RDMCES);
		CASE(PAL_WRVAL);
		CASE(PAL_RDVAL);
		CASE(PAL_WRUSP);
		CASE(PAL_RDUSP);
		CASE(PAL_WHAMI);
		CASE(PAL_DRAINA);
		CASE(PAL_RDUNIQ);
		CASE(PAL_WRUNIQ);
		CASE(PAL_CSERVE);
	}
#undef CASE
	return result;
}

static void on_timer(void)
{
	/* A handler may spoil all of these; trap.S has saved them. */
#define SPOIL(n) "lda $" #n ", 99($31)\n\t"
	__asm__ volatile(SPOIL(0) SPOIL(1) SPOIL(2) SPOIL(3) SPOIL(4) SPOIL(5) SPOIL(6) SPOIL(7)
			     SPOIL(8) SPOIL(16) SPOIL(17) SPOIL(18) SPOIL(19) SPOIL(20) SPOIL(21)
				 SPOIL(22) SPOIL(23) SPOIL(24) SPOIL(25)
				     SPOIL(27) ".set noat\n\t" SPOIL(28) ".set at"
			 :
			 :
			 : "$0", "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$16", "$17",
			   "$18", "$19", "$20", "$21", "$22", "$23", "$24", "$25", "$27", "$28");
#undef SPOIL
	nested_level = pal_rdps();
	interrupts++;
}

static void check_quadwords(void)
{
	call(PAL_WRVAL, 0x1111222233334444);
	call(PAL_WRUSP, 0x5555666677778888);
	call(PAL_WRUNIQ, 0x9999aaaabbbbcccc);
	check(call(PAL_RDVAL, 0) == 0x1111222233334444);
	check(call(PAL_RDUSP, 0) == 0x5555666677778888);
	check(call(PAL_RDUNIQ, 0) == 0x9999aaaabbbbcccc);
	check(call(PAL_RDMCES, 0) == 0);
	check(call(PAL_WHAMI, 0) == 0);
	check(call(PAL_CSERVE, 77) == ~(uint64_t)0);
	call(PAL_DRAINA, 0);
	pal_imb();
}

static void check_levels(void)
{
	check(pal_rdps() == IPL_HIGH);
	check(plat_ipl_set(IPL_CONSOLE) == IPL_HIGH);
	check(plat_ipl_raise(IPL_NET) == IPL_CONSOLE); /* never lowers */
	check(pal_rdps() == IPL_CONSOLE);
	check(plat_ipl_raise(IPL_CLOCK) == IPL_CONSOLE);
	check(plat_ipl_set(IPL_HIGH) == IPL_CLOCK);
}

static void check_interrupts(void)
{
	uint64_t before;

	plat_on_timer(on_timer);
	/* Sleeping at IPL_HIGH ends with the interrupt pending and not taken. */
	plat_wait_for_interrupt();
	check(interrupts == 0);
	check(device_read_quad(SYSTEM_INTERRUPT_PENDING) & INTERRUPT_TIMER);
	/* IPL_CLOCK holds it off, one below lets it in, before the next instruction but a few. */
	plat_ipl_set(IPL_CLOCK);
	check(interrupts == 0);
	plat_ipl_set(IPL_CONSOLE);
	check(interrupts == 1);
	check(nested_level == IPL_CLOCK);
	check(pal_rdps() == IPL_CONSOLE);
	/* Nothing is lost of what the handler may spoil, whatever it interrupts. */
	plat_ipl_set(IPL_NONE);
	before = interrupts;
	check(registers_kept(&interrupts, before + INTERRUPTS) == 0);
	check(pal_rdps() == IPL_NONE);
	plat_ipl_set(IPL_HIGH);
}

int main(void)
{
	check_quadwords();
	check_levels();
	check_interrupts();
	return 0;
}
