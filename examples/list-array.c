/* SPDX-License-Identifier: BSD-2-Clause */
/* The sum of 1,000 numbers: in an array, in a list whose elements lie in order, and in a list that
 * was made in another order than it is read. */
#include <assert.h>
#include <mcpi.h>
#include <stdlib.h>

enum { COUNT = 1000, STEP = 377 };

struct element {
	struct element *next;
	long value;
};

static long array[COUNT];

__attribute__((noinline)) static long sum_of_array(void)
{
	long sum = 0;

	for (int n = 0; n < COUNT; n++)
		sum += array[n];
	return sum;
}

__attribute__((noinline)) static long sum_of_list(const struct element *at)
{
	long sum = 0;

	for (; at; at = at->next)
		sum += at->value;
	return sum;
}

/* Through elements that lie `step` apart, all of them once. */
static struct element *list(int step)
{
	struct element *elements = malloc(COUNT * sizeof *elements);

	for (int n = 0; n < COUNT; n++) {
		struct element *at = &elements[n * step % COUNT];

		at->value = n;
		at->next = n + 1 < COUNT ? &elements[(n + 1) * step % COUNT] : NULL;
	}
	return elements;
}

int main(void)
{
	struct element *in_order = list(1), *scattered = list(STEP);
	long one, two, three;

	for (int n = 0; n < COUNT; n++)
		array[n] = n;
	MCPI_MEASURE_AS("array")
	one = sum_of_array();
	MCPI_MEASURE_AS("list in order")
	two = sum_of_list(in_order);
	MCPI_MEASURE_AS("scattered list")
	three = sum_of_list(scattered);
	assert(one == two && two == three);
	return 0;
}
