/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/library/scan.h"

#include <stdlib.h>

int mcpi_scan_real(const char *text, void *to, int is_double)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text)
		return 0;
	if (to && is_double)
		*(double *)to = value;
	else if (to)
		*(float *)to = (float)value;
	return 1;
}
