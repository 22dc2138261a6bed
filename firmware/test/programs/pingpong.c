/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP ping-pong with itself as the peer: node 0 asks, node 1 answers. */
#include <assert.h>
#include <mcpi.h>
#include <mcpi_net.h>
#include <stdio.h>
#include <string.h>

enum { PORT = 7, ROUNDS = 5, BYTES = 101 };

int main(void)
{
	uint8_t data[BYTES], back[BYTES];
	uint64_t start;
	uint16_t from;

	assert(mcpi_net_open() == 0);
	if (mcpi_node() == 1) {
		for (int n = 0; n < ROUNDS; n++) {
			assert(mcpi_udp_receive(PORT, back, sizeof back, &from) == sizeof back);
			MCPI_MEASURE_AS("answer")
			mcpi_udp_send(PORT, from, back, sizeof back);
		}
		return 0;
	}
	while (mcpi_ticks() < 400000) /* until the peer listens */
		;
	for (int n = 0; n < ROUNDS; n++) {
		memset(data, n + 1, sizeof data);
		start = mcpi_ticks();
		MCPI_MEASURE_AS("ask")
		mcpi_udp_send(1234, PORT, data, sizeof data);
		assert(mcpi_udp_receive(1234, back, sizeof back, &from) == sizeof back);
		assert(from == PORT && !memcmp(data, back, sizeof data));
		printf("round %d: %lu ticks\n", n + 1, mcpi_ticks() - start);
	}
	assert(mcpi_udp_send(1, 2, data, MCPI_UDP_MAX + 1) == -1);
	return 0;
}
