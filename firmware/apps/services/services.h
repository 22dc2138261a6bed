/* SPDX-License-Identifier: BSD-2-Clause */
/* Servers above TCP that ordinary tools know: echo (RFC 862, port 7), discard (RFC 863, port 9),
 * chargen (RFC 864, port 19), and a quote (RFC 865, port 17), after which we close first. */
#pragma once

#include "xkernel/upi.h"

enum {
	SERVICES_CONNECTIONS = 160, /* more are reset */
	SERVICES_BUFFER = 16384,    /* bytes each way and connection */
};

int services_init(struct xobj *self);

struct services_counts {
	uint64_t accepted, refused, ended;
};
extern struct services_counts services_counts;
