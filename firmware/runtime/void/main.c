/* SPDX-License-Identifier: BSD-2-Clause */
/* Linked if the program's main returns nothing, in the place of start.c's: the end of main is a
 * success (tools/mcpi/firmware/program.py). */
#include "platform/platform.h"
#include "runtime/arguments.h"
#include "stdlib.h"

void __real_main(int argc, char **argv);
int __wrap_main(void);

int __wrap_main(void)
{
	__real_main(MCPI_ARGUMENT_COUNT, mcpi_arguments);
	plat_ipl_set(IPL_HIGH);
	return 0;
}
