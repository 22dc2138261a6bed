/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames that a driver in memory makes: from the peer, with FDDI's and IP's header. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "protocols/fddi/fddi.h"
#include "protocols/ip/ip.h"

struct msg;

enum { MPDRIVER_HEADERS = FDDI_HEADER_BYTES + IP_HEADER_BYTES };

/* A frame of a datagram of `protocol` with `bytes` bytes of payload, which lies where a driver
 * would put it. Returns the payload, on a longword; NULL: no memory. */
uint32_t *mpdriver_frame(struct msg *m, uint32_t protocol, size_t bytes);

/* The sum of the pseudo-header of that datagram. */
uint64_t mpdriver_pseudo_sum(uint32_t protocol, size_t bytes);
