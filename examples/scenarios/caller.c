/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls all stations by one frame of its own, waits for so many answers, and tells node 1 by UDP
 * how many there were: caller ANSWERS. */
#include "call.h"
#include <stdio.h>
#include <stdlib.h>

enum { PORT = 7 };

int main(int argc, char **argv)
{
	static const uint8_t everybody[6] = { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF };
	int wanted = argc > 1 ? atoi(argv[1]) : 1, found = 0;
	uint64_t until;

	mcpi_net_open();
	/* The others' controllers are up by then. */
	until = mcpi_ticks() + 1000 * mcpi_ticks_per_us();
	while (mcpi_ticks() < until)
		;
	MCPI_MEASURE_AS("roll call")
	{
		call(everybody);
		while (found < wanted) {
			struct call answer;

			if (!is_call(&answer, mcpi_frame_receive(&answer, sizeof answer)))
				continue;
			printf("node %d is there\n", answer.node);
			found++;
		}
	}
	mcpi_udp_send_to(1, PORT, PORT, &found, sizeof found);
	return 0;
}
