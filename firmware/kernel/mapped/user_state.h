/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a process in user mode besides its kernel stack. Offsets for entry.S. */
#ifndef MAPPED_USER_STATE_H
#define MAPPED_USER_STATE_H

#define USER_KSP 0   /* the kernel's stack, where user_go has put its caller's registers */
#define USER_SAVED 8 /* s0 to s5, fp, ra */
#define USER_PC 72
#define USER_GP 80
#define USER_V0 88
#define USER_WORDS 96 /* of a call: a0 to a5; of a trap: TRAP_*, then the handler's a0 to a2 */

#define LEFT_BY_CALL 0
#define LEFT_BY_TRAP 1
#define LEFT_TO_END 2

#define TRAP_MEMORY 0
#define TRAP_ALIGNMENT 1
#define TRAP_INSTRUCTION 2
#define TRAP_ARITHMETIC 3

#ifndef __ASSEMBLER__
#include <stdint.h>

struct user_state {
	uint64_t ksp, saved[8], pc, gp, v0, words[6];
};

_Static_assert(__builtin_offsetof(struct user_state, pc) == USER_PC, "entry.S");
_Static_assert(__builtin_offsetof(struct user_state, words) == USER_WORDS, "entry.S");

extern struct user_state *user_current;

/* entry.S: to user mode, at level 0, until the process leaves it: LEFT_BY_*. */
int user_go(struct user_state *u);
void kernel_syscall(void); /* what PALcode enters */
void kernel_interrupt(void);
void kernel_memory_fault(void);
void kernel_unaligned(void);
void kernel_instruction_fault(void);
void kernel_arithmetic(void);
void context_switch(uint64_t physical, void *block); /* a control block; sp stays */
#endif
#endif
