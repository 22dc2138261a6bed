/* SPDX-License-Identifier: BSD-2-Clause */
/* Physical pages: all that is left of the memory after the image. A page's colour is its place in a
 * cache of 256 KB that is indexed by virtual addresses: a page is mapped where the index bits are
 * the same (translation.md, Caches). */
#ifndef MAPPED_FRAMES_H
#define MAPPED_FRAMES_H

#include <stdint.h>

#include "machine.h"

enum { COLOURS = (256 * 1024) >> MACHINE_PAGE_SHIFT };

void frames_start(void);
uint64_t frame_take(uint32_t colour); /* zeroed. 0: none is left */
void frame_give(uint64_t frame);
void *frame_address(uint64_t frame);
#endif
