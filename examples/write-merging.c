/* SPDX-License-Identifier: BSD-2-Clause */
/* The write buffer has four entries of a block each. 512 stores in order, and the same stores with
 * eight blocks taken in turn: how many leave the processor? */
#include <mcpi.h>

enum { STORES = 512, BLOCK = 4, TURN = 8 };

static long memory[STORES];

int main(void)
{
	MCPI_MEASURE_AS("in order")
	for (int n = 0; n < STORES; n++)
		memory[n] = n;
	mcpi_keep(memory);
	MCPI_MEASURE_AS("in turn")
	for (int group = 0; group < STORES; group += BLOCK * TURN)
		for (int word = 0; word < BLOCK; word++)
			for (int block = 0; block < TURN; block++)
				memory[group + block * BLOCK + word] = word;
	mcpi_keep(memory);
	return 0;
}
