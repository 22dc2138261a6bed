/* SPDX-License-Identifier: BSD-2-Clause */
/* Hears by UDP how many nodes have answered. */
#include <mcpi.h>
#include <mcpi_net.h>
#include <stdio.h>

enum { PORT = 7 };

int main(void)
{
	int found = 0;

	mcpi_net_open();
	MCPI_MEASURE_AS("report")
	{
		mcpi_udp_receive(PORT, &found, sizeof found, NULL);
	}
	printf("%d have answered\n", found);
	return 0;
}
