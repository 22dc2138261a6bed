/* SPDX-License-Identifier: BSD-2-Clause */
/* Code of a session's own: copies of two functions, in which the session's constants are immediate
 * operands (docs/explanation/cloning.md). */
#pragma once

#include <stddef.h>

#include "xkernel/own_code/template.h"
#include "xkernel/upi.h"

struct own_code_counts {
	uint64_t made, closed;
	uint64_t no_slot; /* the session runs on the shared code, as with the next two */
	uint64_t no_fit;  /* a constant does not fit into its instructions */
	uint64_t ticks;	  /* that making took */
};
extern struct own_code_counts own_code_counts;

/* Copies for a session: their addresses, and the slot, to be given back. 0: none. */
uint64_t own_code_open(const struct xobj *session, uintptr_t code[OWN_CODE_FUNCTIONS]);
void own_code_close(uint64_t slot);
/* A constant that has changed since then ends the machine. */
void own_code_check(const struct xobj *session, uint64_t slot);
void own_code_report(void); /* the counts, on the console */

/* Constants, for the tool: records of a section that is not loaded. Objects are numbered by whoever
 * lists them, from the session on. */
enum { OWN_SESSION = 0 };
#define OWN_RECORD(kind, object, type, field, target, delta)                                       \
	__asm__ volatile(".pushsection .mcpi.constants,\"\",@progbits\n\t"                         \
			 ".long %0, %1, %2, %3, %4, %5\n\t.popsection"                             \
			 :                                                                         \
			 : "i"(kind), "i"(object), "i"(offsetof(type, field)),                     \
			   "i"(sizeof(((type *)0)->field)), "i"(target), "i"(delta))
#define OWN_ADDRESS(object, type, field, target)                                                   \
	OWN_RECORD(OWN_PATCH_ADDRESS, object, type, field, target, 0)
#define OWN_SMALL(object, type, field) OWN_RECORD(OWN_PATCH_SMALL, object, type, field, 0, 0)
#define OWN_CALL(object, type, field) OWN_RECORD(OWN_PATCH_CALL, object, type, field, 0, 0)
#define OWN_NOT_ZERO(object, type, field) OWN_RECORD(OWN_PATCH_NOT_ZERO, object, type, field, 0, 0)
#define OWN_INSIDE(object, type, field, target, delta)                                             \
	OWN_RECORD(OWN_PATCH_INSIDE, object, type, field, target, delta)
