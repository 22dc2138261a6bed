/* SPDX-License-Identifier: BSD-2-Clause */
/* The gate of a translated machine: user mode is the processor's, and memory is the page table's.
 */
#include "kernel/gate.h"

#include "kernel/mapped/fault.h"
#include "kernel/mapped/privileged.h"
#include "kernel/mapped/tables.h"
#include "kernel/mapped/user_state.h"
#include "xkernel/memory/memory.h"

struct control_block { /* PALcode's: PCB_* */
	uint64_t ksp, usp, ptbr;
	uint32_t pcc, asn;
	uint64_t unique, fen, rest[10];
} __attribute__((aligned(PCB_SIZE)));
_Static_assert(sizeof(struct control_block) == PCB_SIZE, "palcode.h");

struct user_state *user_current;

static struct user_state states[PROCESSES];
static struct control_block blocks[PROCESSES + 1]; /* the last one: before there are processes */
static struct control_block *in_use;

static void use(struct control_block *b)
{
	if (b == in_use)
		return;
	in_use = b;
	context_switch(physical(b), b);
}

void gate_start(void)
{
	struct control_block *first = &blocks[PROCESSES];

	*first = (struct control_block){ .ptbr = table_base(TABLE_OF_KERNEL) };
	in_use = NULL;
	use(first);
	privileged_handler(kernel_interrupt, ENTRY_INTERRUPT);
	privileged_handler(kernel_arithmetic, ENTRY_ARITH);
	privileged_handler(kernel_memory_fault, ENTRY_MM);
	privileged_handler(kernel_instruction_fault, ENTRY_IF);
	privileged_handler(kernel_unaligned, ENTRY_UNA);
	privileged_handler(kernel_syscall, ENTRY_SYS);
}

int gate_make(struct process *p)
{
	struct control_block *b = &blocks[p->number];

	p->stack = space_allocate(p->space, STACK_BYTES);
	if (!p->stack)
		return -1;
	if (b == in_use) /* a process of this number has ended */
		use(&blocks[PROCESSES]);
	*b = (struct control_block){
		.usp = (uintptr_t)p->stack + STACK_BYTES,
		.ptbr = table_base(p->space->number),
		.asn = (uint32_t)p->space->number + 1,
	};
	states[p->number] = (struct user_state){
		.pc = p->space->entry,
		.words = { p->argument, (uintptr_t)p->program.entry },
	};
	return 0;
}

void gate_space(struct process *p)
{
	user_current = &states[p->number];
	use(&blocks[p->number]);
}

int gate_go(struct process *p)
{
	struct user_state *u = &states[p->number];

	u->v0 = (uint64_t)p->call.result;
	switch (user_go(u)) {
	case LEFT_BY_CALL:
		p->call.number = u->words[0];
		memcpy(p->call.argument, u->words + 1, sizeof p->call.argument);
		return 0;
	case LEFT_BY_TRAP:
		fault_tell(p->program.name, u);
		return -1;
	default:
		plat_ipl_set(IPL_NONE);
		return -1;
	}
}
