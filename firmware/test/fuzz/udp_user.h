/* SPDX-License-Identifier: BSD-2-Clause */
/* A user of UDP and of the protocols' controls, as the fuzzer has it. */
#pragma once

#include <stdint.h>

#include "xkernel/upi.h"

int udpuser_init(struct xobj *self);
void udp_user_step(const uint8_t *step); /* in a thread of the kernel's */
void udp_user_ends(void);		 /* gives everything back */
/* He has asked for that, of a session with this port of ours. */
int udp_user_sends_no_checksum(uint32_t port);
