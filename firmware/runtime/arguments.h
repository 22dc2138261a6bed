/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments of the program's main: those of ./mcpi exec (MCPI_INPUTS,
 * tools/mcpi/firmware/inputs/given.py), or a name alone. */
#pragma once

#include <stddef.h>

#if MCPI_INPUTS
extern char *mcpi_arguments[];
extern const long mcpi_argument_count[];
#define MCPI_ARGUMENT_COUNT ((int)mcpi_argument_count[0])
#else
static char mcpi_name[] = "program";
static char *mcpi_arguments[] = { mcpi_name, NULL };
#define MCPI_ARGUMENT_COUNT 1
#endif
