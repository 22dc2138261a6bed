/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that ./mcpi exec gives a program, in the image of a program to which it gives any
 * (tools/mcpi/firmware/inputs/given.py). */
#pragma once

/* Name, first byte and the byte behind the last of each file; a NULL name at the end. The file ""
 * is the standard input. */
struct mcpi_given {
	const char *name;
	char *from, *to;
};
extern const struct mcpi_given mcpi_given_files[];
