/* SPDX-License-Identifier: BSD-2-Clause */
/* The wire between the two machines of ./mcpi exec ... --peer: frames, and UDP on top of them. The
 * other machine is the only one there, so nobody has to be looked for. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { MCPI_FRAME_MIN = 60, MCPI_FRAME_MAX = 1514, MCPI_UDP_MAX = 1472 };

/* Starts the controller; -1 if it does not answer. First of all, on both machines. */
int mcpi_net_open(void);

/* A whole frame, from its destination address to its data, without FCS; a short one is padded. 0,
 * or -1: too long. It waits for a free buffer, but not until the frame is on the wire. */
int mcpi_frame_send(const void *frame, size_t bytes);

/* Waits for the next frame; its bytes, of which at most `room` are stored. Damaged ones are left
 * out. */
size_t mcpi_frame_receive(void *frame, size_t room);

/* Six bytes each. */
void mcpi_address(uint8_t *own, uint8_t *peers);

/* A datagram from one port to another of the other machine. 0, or -1: too long. */
int mcpi_udp_send(uint16_t from, uint16_t to, const void *data, size_t bytes);

/* Waits for the next datagram to `port`; its bytes, of which at most `room` are stored. Others are
 * dropped, and so is what has a wrong checksum. `from`: the port that sent it, if not NULL. */
size_t mcpi_udp_receive(uint16_t port, void *data, size_t room, uint16_t *from);
