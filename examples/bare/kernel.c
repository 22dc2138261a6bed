/* SPDX-License-Identifier: BSD-2-Clause */
/* A guest without the runtime: it writes to the console's register itself. */
#include <mcpi.h>

static volatile uint64_t *const console = (uint64_t *)0xfffffc0200001000;

int main(void)
{
	MCPI_MEASURE_AS("printing")
	for (const char *c = "no runtime\n"; *c; c++)
		*console = *c;
	return 0;
}
