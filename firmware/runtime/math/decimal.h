/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { MCPI_MOST_PRECISION = 1100, MCPI_SPELLED = 330 + MCPI_MOST_PRECISION };

/* The text of a double's magnitude as printf's conversion `form` (f, e, g or a capital) has it;
 * its length. `to` has room for MCPI_SPELLED; `precision` is MCPI_MOST_PRECISION at most.
 * `keep_zeroes`: flag #, of g. */
size_t mcpi_spell_double(char *to, uint64_t bits, char form, int precision, int keep_zeroes);
