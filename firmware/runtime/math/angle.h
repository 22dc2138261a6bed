/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "runtime/math/extended.h"

/* A finite double less the nearest multiple of pi / 2, whose number modulo 4 is *quarters. */
struct extended angle(uint64_t bits, int *quarters);
