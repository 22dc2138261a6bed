/* SPDX-License-Identifier: BSD-2-Clause */
/* A client that asks node 0 for the next number. */
#include <mcpi.h>
#include <mcpi_net.h>
#include <stdio.h>

enum { PORT = 7, OWN = 1000, REQUESTS = 3 };

int main(void)
{
	char name[16];
	int length = snprintf(name, sizeof name, "client %d", mcpi_node());
	uint64_t until, number;

	mcpi_net_open();
	/* The server's controller is up by then. */
	until = mcpi_ticks() + 1000 * mcpi_ticks_per_us();
	while (mcpi_ticks() < until)
		;
	for (int i = 0; i < REQUESTS; i++)
		MCPI_MEASURE_AS("ask")
		{
			mcpi_udp_send_to(0, OWN, PORT, name, (size_t)length);
			mcpi_udp_receive(OWN, &number, sizeof number, NULL);
			printf("%d\n", (int)number);
		}
	return 0;
}
