/* SPDX-License-Identifier: BSD-2-Clause */
/* For frame_in.py: sends the first frame back to whoever sent it, and ends. */
#include <mcpi.h>
#include <mcpi_net.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	static uint8_t frame[MCPI_FRAME_MAX];
	uint8_t own[6], peers[6];
	size_t bytes;

	if (mcpi_net_open())
		return 1;
	mcpi_address(own, peers);
	printf("ready\n");
	bytes = mcpi_frame_receive(frame, sizeof(frame));
	MCPI_MEASURE
	{
		memcpy(frame, frame + 6, 6);
		memcpy(frame + 6, own, 6);
	}
	mcpi_frame_send(frame, bytes);
	return 0;
}
