/* SPDX-License-Identifier: BSD-2-Clause */
/* The wire of ./mcpi exec ... --peer, or the network of ./mcpi scenario: frames, and UDP on top of
 * them. A machine's addresses follow from its number, mcpi_node(), so nobody has to be looked for.
 * The other machine is, in a scenario, the `peer` of this one. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

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
void mcpi_address_of(int node, uint8_t *address);

/* A datagram from one port to another of the other machine. 0, or -1: too long. */
int mcpi_udp_send(uint16_t from, uint16_t to, const void *data, size_t bytes);

/* Waits for the next datagram to `port`; its bytes, of which at most `room` are stored. Others are
 * dropped, and so is what has a wrong checksum. `from`: the port that sent it, if not NULL. */
size_t mcpi_udp_receive(uint16_t port, void *data, size_t room, uint16_t *from);

/* The same to the machine of this number. */
int mcpi_udp_send_to(int node, uint16_t from, uint16_t to, const void *data, size_t bytes);

/* The same; `node`: the number of the machine that sent it, if not NULL. */
size_t mcpi_udp_receive_from(uint16_t port, void *data, size_t room, uint16_t *from, int *node);

__END_DECLS
