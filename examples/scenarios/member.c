/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers one call by a frame to the station that called. */
#include "call.h"

int main(void)
{
	struct call frame;

	mcpi_net_open();
	while (!is_call(&frame, mcpi_frame_receive(&frame, sizeof frame)))
		;
	MCPI_MEASURE_AS("answer")
	{
		call(frame.from);
	}
	return 0;
}
