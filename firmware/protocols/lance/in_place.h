/* SPDX-License-Identifier: BSD-2-Clause */
/* With dense wiring the chip fills shepherds' frames themselves, and nothing is copied. */
#pragma once

#include <stddef.h>
#include <stdint.h>

uint32_t in_place_buffer(uint64_t index); /* of that descriptor, a chip address. 0: none is left */
/* Its frame, which is on this path; another buffer takes its place. */
void in_place_deliver(uint64_t index, size_t bytes, uint32_t path);
