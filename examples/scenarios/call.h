/* SPDX-License-Identifier: BSD-2-Clause */
/* Frame of a roll call: a type that IEEE 802 leaves to experiments, and the number of the node that
 * sends the frame. */
#pragma once
#include <mcpi.h>
#include <mcpi_net.h>
#include <string.h>

struct call {
	uint8_t to[6], from[6], type[2], node;
};

static inline int is_call(const struct call *frame, size_t bytes)
{
	return bytes >= sizeof *frame && frame->type[0] == 0x88 && frame->type[1] == 0xB5;
}

/* Sends a call to this station. */
static inline void call(const uint8_t *to)
{
	struct call frame = { .type = { 0x88, 0xB5 }, .node = (uint8_t)mcpi_node() };

	memcpy(frame.to, to, sizeof frame.to);
	mcpi_address_of(mcpi_node(), frame.from);
	mcpi_frame_send(&frame, sizeof frame);
}
