/* SPDX-License-Identifier: BSD-2-Clause */
/* A kernel's trap handlers and one user-mode program, as small as they can be. */
#pragma once

#include <stdint.h>

/* The frame of entry.S and, above it, of PALcode on the kernel stack. The program goes on with it.
 */
struct frame {
	uint64_t v0, t[8], a3, a4, a5, t8, t9, t10, t11, ra, pv, at, pad;
	uint64_t ps, pc, gp, a0, a1, a2;
};

/* entry.S: the handlers WRENT is given; each calls its on_... with the handler's arguments. */
void enter_interrupt(void);
void enter_arith(void);
void enter_if(void);
void enter_una(void);
void enter_sys(void);

void on_interrupt(uint64_t type, uint64_t vector, uint64_t log, struct frame *frame);
void on_arith(uint64_t summary, uint64_t mask, uint64_t unused, struct frame *frame);
void on_if(uint64_t type, uint64_t unused, uint64_t also_unused, struct frame *frame);
void on_una(uint64_t address, uint64_t opcode, uint64_t reg, struct frame *frame);
uint64_t on_sys(uint64_t a0, uint64_t a1, uint64_t number);

/* entry.S: to user mode at pc with that stack; returns when somebody calls leave_user. */
void enter_user(uint64_t pc, uint64_t stack);
_Noreturn void leave_user(void);

/* faults.S: the fault is one instruction, the first but where a comment says more. */
uint64_t do_add_overflow(uint64_t a, uint64_t b);
uint64_t do_multiply_overflow(uint64_t a, uint64_t b,
			      const uint64_t *c); /* the second; product + *c */
uint64_t do_unaligned_load(const void *at);
uint64_t do_unaligned_lock(const void *at);
void do_unaligned_store(void *at, uint64_t value);
void do_bus_error(uint64_t at);
void do_bus_error_write(uint64_t at);
void do_fetch(uint64_t at);
void do_reserved(void);
void do_floating(void);
void do_bpt(void);
void do_bugchk(void);
void do_gentrap(uint64_t code);
void do_no_such_call(void);
void do_callsys(void);
void do_pal_only(void);
int call_twice(void *first_block, void *second_block); /* SWPCTX there and back; 0: as it should */
uint64_t do_swppal(uint64_t which, void *block);

void user_program(void);
