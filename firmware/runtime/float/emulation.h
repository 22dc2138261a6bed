/* SPDX-License-Identifier: BSD-2-Clause */
/* Floating point by integer instructions. tools/mcpi/firmware/floating/assembly.py makes a call of
 * one of these functions of each floating-point instruction. A register holds a double's 64 bits; a
 * float lies there as the equal double. Rounding is to the nearest, ties to even; there are no
 * flags and no traps. A result that is no number is what SSE gives. */
#pragma once

#include <stdint.h>

enum { MCPI_FLOAT_WORDS = 33 };

extern uint64_t mcpi_float_registers[MCPI_FLOAT_WORDS]; /* registers.S */

uint64_t mcpi_addt(uint64_t a, uint64_t b);
uint64_t mcpi_subt(uint64_t a, uint64_t b);
uint64_t mcpi_mult(uint64_t a, uint64_t b);
uint64_t mcpi_divt(uint64_t a, uint64_t b);
uint64_t mcpi_sqrtt(uint64_t a, uint64_t b);
uint64_t mcpi_adds(uint64_t a, uint64_t b);
uint64_t mcpi_subs(uint64_t a, uint64_t b);
uint64_t mcpi_muls(uint64_t a, uint64_t b);
uint64_t mcpi_divs(uint64_t a, uint64_t b);
uint64_t mcpi_cmpteq(uint64_t a, uint64_t b);
uint64_t mcpi_cmptlt(uint64_t a, uint64_t b);
uint64_t mcpi_cmptle(uint64_t a, uint64_t b);
uint64_t mcpi_cmptun(uint64_t a, uint64_t b);
uint64_t mcpi_cpys(uint64_t a, uint64_t b);
uint64_t mcpi_cpysn(uint64_t a, uint64_t b);
uint64_t mcpi_cpyse(uint64_t a, uint64_t b);
/* Conversions: the operand is b, as in the instruction; a is not used. */
uint64_t mcpi_cvtqt(uint64_t a, uint64_t b);
uint64_t mcpi_cvtqs(uint64_t a, uint64_t b);
uint64_t mcpi_cvttq(uint64_t a, uint64_t b); /* towards zero, modulo 2^64 */
uint64_t mcpi_cvtts(uint64_t a, uint64_t b);
uint64_t mcpi_lds(uint64_t a, uint64_t b); /* a float's bits to a register's */
uint64_t mcpi_sts(uint64_t a, uint64_t b);
