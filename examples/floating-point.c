/* SPDX-License-Identifier: BSD-2-Clause */
/* What does floating point cost on a machine that has none? A hundred times each operation. */
#include <mcpi.h>

enum { TIMES = 100 };

/* Loads and stores are a part of each operation. */
static volatile double a = 1.5, b = 2.25, sum;
static volatile float f = 1.5f;
static volatile long whole;

#define MEASURE(name, operation)                                                                   \
	MCPI_MEASURE_AS(name)                                                                      \
	for (int i = 0; i < TIMES; i++)                                                            \
		operation;

int main(void)
{
	for (int pass = 0; pass < 2; pass++) {
		MEASURE("move", sum = a)
		MEASURE("less", whole = a < b)
		MEASURE("add", sum = a + b)
		MEASURE("multiply", sum = a * b)
		MEASURE("divide", sum = a / b)
		MEASURE("add floats", f = f + 1.0f)
		MEASURE("to long", whole = (long)a)
	}
	return 0;
}
