/* SPDX-License-Identifier: BSD-2-Clause */
/* Every trap delivered to a handler in C, user mode, system calls, process contexts, as
 * palcode.md describes them. Exit code 0 or the number of the first check that fails. */
#include "trapcheck.h"

#include "boot/palcode.h"
#include "machine.h"
#include "platform/alpha/device.h"
#include "platform/alpha/pal.h"
#include "platform/platform.h"

enum { CALL_ADD = 1, CALL_LEAVE, CALL_TIMER }; /* user.S */
enum { ARITH, IF, UNA, MACHINE_CHECK };
enum { LDQ = 0x29, LDQ_L = 0x2b, STL = 0x2c };
#define NO_RAM 0xfffffc0010000000 /* 256 MB */
#define NO_DEVICE (SYSTEM_IDENTITY_MAGIC + 0x8000)

static int checks;
static volatile struct {
	uint64_t count[4], a0, a1, a2, ps, pc, program_a0, level;
} seen;
static volatile uint64_t timer_interrupts, user_failed;
static uint64_t value_at_odd;
static uint64_t first_block[PCB_SIZE / 8] __attribute__((aligned(PCB_SIZE)));
static uint64_t second_block[PCB_SIZE / 8] __attribute__((aligned(PCB_SIZE)));
static uint64_t other_stack[64], user_stack[64];
static char odd[24] __attribute__((aligned(8)));

static void check(int good)
{
	checks++;
	if (!good)
		plat_exit(checks);
}

static void wrent(void (*handler)(void), uint64_t which)
{
	register uint64_t a __asm__("$16") = (uint64_t)handler;
	register uint64_t b __asm__("$17") = which;

	__asm__ volatile("call_pal %2" : "+r"(a), "+r"(b) : "i"(PAL_WRENT) : PAL_SPOILS);
}

static void note(int what, uint64_t a0, uint64_t a1, uint64_t a2, const struct frame *frame)
{
	seen.count[what]++;
	seen.a0 = a0;
	seen.a1 = a1;
	seen.a2 = a2;
	seen.ps = frame->ps;
	seen.pc = frame->pc;
	seen.program_a0 = frame->a0;
	seen.level = pal_rdps();
}

void on_arith(uint64_t summary, uint64_t mask, uint64_t unused, struct frame *frame)
{
	note(ARITH, summary, mask, unused, frame);
}

void on_if(uint64_t type, uint64_t unused, uint64_t also_unused, struct frame *frame)
{
	note(IF, type, 0, also_unused, frame);
	if (type == IF_FEN)
		frame->pc += 4; /* it would be tried again */
	if (type == IF_OPDEC && frame->ps == PS_USER)
		frame->v0++;
}

void on_una(uint64_t address, uint64_t opcode, uint64_t reg, struct frame *frame)
{
	note(UNA, address, opcode, reg, frame);
	if (opcode == LDQ && reg == 0)
		__builtin_memcpy(&frame->v0, (const void *)address, 8);
	if (opcode == STL && reg == 17)
		__builtin_memcpy((void *)address, &frame->a1, 4);
}

static void call_wrmces(uint64_t value)
{
	register uint64_t a __asm__("$16") = value;

	__asm__ volatile("call_pal %1" : "+r"(a) : "i"(PAL_WRMCES) : PAL_SPOILS);
}

void on_interrupt(uint64_t type, uint64_t vector, uint64_t log, struct frame *frame)
{
	if (type == TYPE_CLOCK) {
		device_write_quad(SYSTEM_TIMER_ACKNOWLEDGE, 1);
		timer_interrupts++;
		return;
	}
	note(MACHINE_CHECK, type, vector, log, frame);
	if (frame->pc == NO_RAM)
		frame->pc = frame->t[1]; /* do_fetch */
	call_wrmces(1);
}

uint64_t on_sys(uint64_t a0, uint64_t a1, uint64_t number)
{
	switch (number) {
	case CALL_ADD:
		check(pal_rdps() == 0); /* kernel mode, level 0 */
		return a0 + a1;
	case CALL_TIMER:
		return (uint64_t)&timer_interrupts;
	case CALL_LEAVE:
		user_failed = a0;
		leave_user();
	}
	return ~(uint64_t)0;
}

/* The trap that has just come: how many of its kind by now, arguments, where it says it was. */
static void check_seen(int what, uint64_t count, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t pc)
{
	check(seen.count[what] == count);
	check(seen.a0 == a0);
	check(seen.a1 == a1);
	check(seen.a2 == a2);
	check(seen.pc == pc);
	check(seen.ps == IPL_HIGH);
	check(seen.level == IPL_HIGH);
}

#define AFTER(function, instructions) ((uint64_t)(function) + 4 * (instructions))

static void check_arithmetic(void)
{
	const uint64_t most = ~(uint64_t)0 >> 1;

	check(do_add_overflow(1, 2) == 3 && seen.count[ARITH] == 0);
	check(do_add_overflow(most, 1) == most + 1);
	check_seen(ARITH, 1, ARITH_IOV, 1 << 0, 0, AFTER(do_add_overflow, 1));
	check(do_multiply_overflow(most, 4, &value_at_odd) == 4 * most + value_at_odd);
	check_seen(ARITH, 2, ARITH_IOV, 1 << 1, 1, AFTER(do_multiply_overflow, 2));
	check(do_multiply_overflow(3, 4, &value_at_odd) == 12 + value_at_odd);
	check(seen.count[ARITH] == 2);
}

static void check_unaligned(void)
{
	for (int i = 0; i < (int)sizeof odd; i++)
		odd[i] = (char)(i + 1);
	check(do_unaligned_load(odd + 3) == 0x0b0a090807060504);
	check_seen(UNA, 1, (uint64_t)odd + 3, LDQ, 0, AFTER(do_unaligned_load, 1));
	do_unaligned_store(odd + 9, 0x44332211);
	check_seen(UNA, 2, (uint64_t)odd + 9, STL, 17, AFTER(do_unaligned_store, 1));
	check(odd[8] == 9 && odd[9] == 0x11 && odd[12] == 0x44 && odd[13] == 14);
	do_unaligned_lock(odd + 4);
	check_seen(UNA, 3, (uint64_t)odd + 4, LDQ_L, 0, AFTER(do_unaligned_lock, 1));
}

static void check_instruction_faults(void)
{
	do_reserved();
	check_seen(IF, 1, IF_OPDEC, 0, seen.a2, AFTER(do_reserved, 1));
	do_floating();
	check_seen(IF, 2, IF_FEN, 0, seen.a2, AFTER(do_floating, 0));
	do_bpt();
	check_seen(IF, 3, IF_BPT, 0, seen.a2, AFTER(do_bpt, 1));
	do_bugchk();
	check_seen(IF, 4, IF_BUGCHK, 0, seen.a2, AFTER(do_bugchk, 1));
	do_gentrap(0xfffffffffffffffe);
	check_seen(IF, 5, IF_GENTRAP, 0, seen.a2, AFTER(do_gentrap, 1));
	check(seen.program_a0 == 0xfffffffffffffffe);
	do_no_such_call();
	check_seen(IF, 6, IF_OPDEC, 0, seen.a2, AFTER(do_no_such_call, 1));
	do_pal_only();
	check_seen(IF, 7, IF_OPDEC, 0, seen.a2, AFTER(do_pal_only, 1));
	do_callsys(); /* kernels do not call themselves */
	check_seen(IF, 8, IF_OPDEC, 0, seen.a2, AFTER(do_callsys, 1));
}

static void check_machine_checks(void)
{
	static const uint64_t places[] = { NO_RAM, NO_DEVICE };
	uint64_t count = 0;

	for (int i = 0; i < 2; i++) {
		do_bus_error(places[i]);
		check(seen.count[MACHINE_CHECK] == ++count);
		check(seen.a0 == TYPE_MACHINE_CHECK && seen.a1 == VECTOR_MACHINE_CHECK);
		check(seen.a2 == 0 && seen.level == IPL_HIGH);
		do_bus_error_write(places[i]);
		check(seen.count[MACHINE_CHECK] == ++count);
	}
	do_fetch(NO_RAM);
	check(seen.count[MACHINE_CHECK] == ++count);
	check(seen.pc == NO_RAM);
}

static void check_processes(void)
{
	const uint64_t physical = 0x3ffffff;

	second_block[PCB_KSP / 8] = (uint64_t)(other_stack + 32);
	second_block[PCB_UNIQUE / 8] = 0x222;
	check(call_twice((void *)((uint64_t)first_block & physical),
			 (void *)((uint64_t)second_block & physical)) == 0);
	check(do_swppal(1, first_block) == 1);
	check(do_swppal(PAL_VARIANT_OSF, first_block) == 100);
	check(pal_rdps() == IPL_HIGH);
}

static void check_user_mode(void)
{
	device_write_quad(SYSTEM_TIMER_CONTROL, 1);
	enter_user((uint64_t)user_program, (uint64_t)(user_stack + 32) + 5);
	plat_ipl_set(IPL_HIGH);
	check(user_failed == 0 ? 1 : (plat_exit(100 + (int)user_failed), 0));
	check(timer_interrupts >= 2);
	check(seen.count[ARITH] == 3 && seen.count[IF] == 14);
	check(seen.ps == PS_USER && seen.level == 0); /* the breakpoint was the last */
	check(seen.a0 == IF_BPT);
}

int main(void)
{
	value_at_odd = 12345;
	wrent(enter_interrupt, ENTRY_INTERRUPT);
	wrent(enter_arith, ENTRY_ARITH);
	wrent(enter_if, ENTRY_IF);
	wrent(enter_una, ENTRY_UNA);
	wrent(enter_sys, ENTRY_SYS);
	call_wrmces(7);
	check_arithmetic();
	check_unaligned();
	check_instruction_faults();
	check_machine_checks();
	check_processes();
	check_user_mode();
	return 0;
}
