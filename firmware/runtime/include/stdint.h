/* SPDX-License-Identifier: BSD-2-Clause */
/* The compiler's own looks for a second one after it, and has everything in this file. */
#pragma once

#include <stdint-gcc.h>
