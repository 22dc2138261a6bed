/* SPDX-License-Identifier: BSD-2-Clause */
/* Datagrams that nobody wants, one after the other: noise NODE MICROSECONDS. */
#include <mcpi.h>
#include <mcpi_net.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int node = argc > 1 ? atoi(argv[1]) : 0;
	uint64_t between = (uint64_t)(argc > 2 ? atoi(argv[2]) : 1000) * mcpi_ticks_per_us();
	uint64_t next = mcpi_ticks();
	char nothing[18] = { 0 };

	mcpi_net_open();
	for (;;) {
		while (mcpi_ticks() < next)
			;
		next += between;
		mcpi_udp_send_to(node, 9, 9, nothing, sizeof nothing);
	}
}
