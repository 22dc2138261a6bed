/* SPDX-License-Identifier: BSD-2-Clause */
/* Participants of an open: what is NULL is not given. */
#ifndef PARTS_H
#define PARTS_H

#include "xkernel/upi.h"

static inline void parts_of(struct part parts[2], const uint32_t *host, const uint16_t *port,
			    const uint16_t *my_port)
{
	part_init(&parts[0]);
	part_init(&parts[1]);
	if (host)
		part_push(&parts[0], host, sizeof *host);
	if (port)
		part_push(&parts[0], port, sizeof *port);
	if (my_port)
		part_push(&parts[1], my_port, sizeof *my_port);
}
#endif
