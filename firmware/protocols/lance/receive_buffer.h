/* SPDX-License-Identifier: BSD-2-Clause */
/* The buffers of the receive ring: the chip's own memory, or with dense wiring shepherds'. */
#pragma once

#include "protocols/lance/chip.h"
#include "protocols/lance/in_place.h"
#include "protocols/lance/layout.h"
#include "xkernel/thread/shepherd.h"

/* The size of a receive buffer. */
enum { RECEIVE_BYTES = LANCE_DENSE ? SHEPHERD_FRAME_BYTES : BUFFER_BYTES };

/* The chip address of a descriptor's buffer. */
static inline uint32_t receive_buffer(uint64_t index)
{
	return LANCE_DENSE ? in_place_buffer(index)
			   : (uint32_t)(RECEIVE_BUFFERS + BUFFER_BYTES * index);
}
