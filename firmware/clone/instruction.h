/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of Alpha instructions that the cloner changes (sources/ev4.md 1.1). */
#pragma once

#include <stdint.h>

#define OPCODE_BR 0x30u
#define OPCODE_BSR 0x34u
#define REGISTER_A (31u << 21)
#define MEMORY_FIELD 0xffffu
#define BRANCH_FIELD 0x1fffffu
#define BRANCH_REACH 0x100000 /* instructions, both ways */
#define UNOP 0x2ffe0000u      /* ldq_u $31, 0($30) */

/* 1: a branch of integer code, BR, BSR or a conditional one. */
static inline int is_branch(uint32_t instruction)
{
	uint32_t opcode = instruction >> 26;

	return opcode == OPCODE_BR || opcode == OPCODE_BSR || opcode >= 0x38;
}

/* BSR for a JSR, BR for a JMP that ends a function; no displacement yet. */
static inline uint32_t direct_call(uint32_t jump)
{
	uint32_t link = jump & REGISTER_A;

	return (link == REGISTER_A ? OPCODE_BR : OPCODE_BSR) << 26 | link;
}

static inline uint32_t branch_target(uint32_t instruction, uint32_t from)
{
	int32_t words = (int32_t)(instruction << 11) >> 11;

	return from + 4 + 4 * (uint32_t)words;
}
