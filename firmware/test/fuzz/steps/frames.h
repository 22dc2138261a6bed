/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for every frame that the machine sends, whatever it was sent. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "platform/host/host.h"

/* Lengths, header sums, checksums, echoes: what is wrong, or NULL. */
const char *frame_fault(const struct host_frame *f);

/* The peer has sent a sound echo request of so many bytes behind ICMP's header: its answer has as
 * many. */
void frames_asked(uint32_t identifier_sequence, size_t bytes);
/* It has sent one whose bytes nobody has counted: nothing is said about answers any more. */
void frames_asked_blindly(void);

/* Datagrams in pieces (packets.c) say at every place which place it is, so that what was joined
 * wrongly is seen in the echo. One of four; their ports tell which. */
enum { PIECES_PORT = 0x0f00, PIECES_IDENTIFIER = 0x66726167, PIECES_DATAGRAMS = 4 };
uint8_t piece_byte(size_t place);	   /* behind IP's header */
void frames_piece_differs(uint32_t which); /* the peer has sent a piece that says something else */
