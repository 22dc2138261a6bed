/* SPDX-License-Identifier: BSD-2-Clause */
/* From the timer's interrupt to the first line of its handler, and back: how long? The loop reads
 * the machine's ticks; what lies between two readings, if an interrupt came there, is its cost. */
#include <mcpi.h>
#include <stdio.h>

enum { INTERRUPTS = 8, READINGS = 64 };

static volatile uint64_t handled;

static void on_timer(void)
{
	handled = mcpi_ticks();
}

int main(void)
{
	uint64_t before, after, reading = ~0UL, in[INTERRUPTS], out[INTERRUPTS];
	int seen = 0;

	for (int n = 0; n < READINGS; n++) {
		before = mcpi_ticks();
		after = mcpi_ticks();
		reading = after - before < reading ? after - before : reading;
	}
	mcpi_on_timer(on_timer);
	mcpi_interrupts_on();
	MCPI_MEASURE_AS("waiting")
	while (seen < INTERRUPTS) {
		before = mcpi_ticks();
		after = mcpi_ticks();
		if (handled > before && handled < after) {
			in[seen] = handled - before;
			out[seen] = after - handled;
			seen++;
		}
	}
	mcpi_interrupts_off();
	printf("one reading: %lu ticks\n", reading);
	for (int n = 0; n < INTERRUPTS; n++)
		printf("interrupt %d: in the handler after %lu ticks, back after %lu more\n", n + 1,
		       in[n], out[n]);
	return 0;
}
