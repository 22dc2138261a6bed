/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/mapped/fault.h"

#include "boot/palcode.h"
#include "platform/platform.h"
#include "xkernel/console.h"

enum { EXIT_OF_KERNEL = 128 + 3 }; /* as PALcode's for a data fault */

static void hexadecimal(uint64_t number)
{
	char digits[17], *p = digits + sizeof digits - 1;

	*p = 0;
	do
		*--p = "0123456789abcdef"[number & 15];
	while (number >>= 4);
	console_text(p);
}

static const char *memory_cause(uint64_t code)
{
	switch (code) {
	case MM_INVALID:
		return "no page there";
	case MM_ACCESS:
		return "no right";
	case MM_FOE:
		return "a page of data is not run";
	default:
		return "a fault is set in the page";
	}
}

static const char *instruction_cause(uint64_t type)
{
	static const char *const causes[] = {
		[IF_BPT] = "breakpoint",
		[IF_BUGCHK] = "bug check",
		[IF_GENTRAP] = "software trap, as of a division by zero",
		[IF_FEN] = "floating point, which there is not",
		[IF_OPDEC] = "no instruction of user mode",
	};

	return type <= IF_OPDEC ? causes[type] : "instruction fault";
}

static void tell(const char *who, uint64_t pc, uint64_t kind, const uint64_t *a)
{
	console_text(who);
	console_text(": stopped at pc ");
	hexadecimal(pc);
	console_text(": ");
	switch (kind) {
	case TRAP_MEMORY:
		console_text(a[2] == MM_LOAD	? "load from "
			     : a[2] == MM_STORE ? "store to "
						: "fetch from ");
		hexadecimal(a[0]);
		console_text(": ");
		console_text(memory_cause(a[1]));
		break;
	case TRAP_ALIGNMENT:
		console_text("access to ");
		hexadecimal(a[0]);
		console_text(": not aligned");
		break;
	case TRAP_INSTRUCTION:
		console_text(instruction_cause(a[0]));
		break;
	default:
		console_text("integer overflow");
	}
	console_text("\n");
}

void fault_tell(const char *program, const struct user_state *u)
{
	tell(program, u->pc, u->words[0], u->words + 1);
}

void fault_of_kernel(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t kind, uint64_t pc)
{
	const uint64_t a[] = { a0, a1, a2 };

	tell("kernel", pc, kind, a);
	plat_exit(EXIT_OF_KERNEL);
}
