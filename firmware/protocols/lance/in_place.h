/* SPDX-License-Identifier: BSD-2-Clause */
/* With dense wiring the chip fills shepherds' frames themselves, and nothing is copied. */
#pragma once

#include <stddef.h>

#include "protocols/lance/chip.h"
#include "protocols/lance/layout.h"
#include "xkernel/shepherd.h"

uint32_t in_place_buffer(uint64_t index); /* of that descriptor, a chip address. 0: none is left */
void in_place_deliver(uint64_t index, size_t bytes); /* its frame; another buffer takes its place */

/* Of a receive buffer. */
enum { RECEIVE_BYTES = LANCE_DENSE ? SHEPHERD_FRAME_BYTES : BUFFER_BYTES };

/* The chip address of a descriptor's buffer. */
static inline uint32_t receive_buffer(uint64_t index)
{
	return LANCE_DENSE ? in_place_buffer(index)
			   : (uint32_t)(RECEIVE_BUFFERS + BUFFER_BYTES * index);
}
