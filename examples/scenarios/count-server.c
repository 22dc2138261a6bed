/* SPDX-License-Identifier: BSD-2-Clause */
/* A server that counts: whoever sends it a datagram gets the next number. */
#include <mcpi.h>
#include <mcpi_net.h>
#include <stdio.h>
#include <stdlib.h>

enum { PORT = 7, REQUESTS = 3 }; /* of each client */

int main(int argc, char **argv)
{
	int clients = argc > 1 ? atoi(argv[1]) : 1;
	uint64_t number = 0;

	mcpi_net_open();
	while (number < (uint64_t)clients * REQUESTS)
		MCPI_MEASURE_AS("request")
		{
			char name[16];
			uint16_t from;
			int node;
			size_t bytes =
			    mcpi_udp_receive_from(PORT, name, sizeof name - 1, &from, &node);

			name[bytes < sizeof name ? bytes : sizeof name - 1] = 0;
			number++;
			printf("%d for %s on node %d\n", (int)number, name, node);
			mcpi_udp_send_to(node, PORT, from, &number, sizeof number);
		}
	return 0;
}
