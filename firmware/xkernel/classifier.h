/* SPDX-License-Identifier: BSD-2-Clause */
/* Does the Ethernet controller recognise the frames of paths (docs/reference/lance.md)? */
#pragma once

#if __has_include("machine.h")
#include "machine.h"
#endif

#ifndef LANCE_CLASSIFIER
#define LANCE_CLASSIFIER 0
#endif
