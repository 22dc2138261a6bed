/* SPDX-License-Identifier: BSD-2-Clause */
/* The fuzzer's user of every layer, with numbers of its own (tcp.table): it opens, enables,
 * pushes, calls, asks and closes where usually only the protocol above would. */
#pragma once

#include <stdint.h>

#include "xkernel/upi.h"

int layeruser_init(struct xobj *self);
void layer_user_step(const uint8_t *step); /* in a thread of the kernel's */
void layer_user_ends(void);		   /* gives everything back */
int layer_user_made_calls(void);	   /* CHAN remembers the channels used, as it should */
