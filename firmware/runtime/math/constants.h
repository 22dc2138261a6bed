/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include <stdint.h>

enum { FACTORIALS = 22, ODDS = 16, PI_WORDS = 22 };

extern const uint64_t long_ln2[2];	     /* ln 2 * 2^128, the upper half first */
extern const uint64_t inverse_factorial[];   /* 2^63 / n! */
extern const uint64_t inverse_odd[];	     /* 2^63 / (2n + 1) */
extern const uint64_t atan_of_eighths[];     /* 2^64 * atan(n / 8) */
extern const uint64_t two_over_pi[PI_WORDS]; /* its bits behind the point */
