/* SPDX-License-Identifier: BSD-2-Clause */
/* With dense wiring the chip fills shepherds' frames themselves, and nothing is copied. */
#pragma once

#include <stddef.h>
#include <stdint.h>

uint32_t in_place_buffer(uint64_t index); /* of that descriptor, a chip address. 0: none is left */
void in_place_deliver(uint64_t index, size_t bytes); /* its frame; another buffer takes its place */
void in_place_recognised(uint64_t index, uint32_t path); /* its frame is on this path; 0: on none */
