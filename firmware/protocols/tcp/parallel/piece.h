/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP-2 and TCP-6: a data segment on its way down, which no two locks are held for. */
#pragma once

#include "xkernel/message/msg.h"
#include "xkernel/upi.h"

struct tcp;

struct tcp_piece {
	uint32_t sequence, ack, flags, window;
	int more; /* of the queue may go */
	struct msg m;
};

/* tcp_output.c: 1 if data may go now, which are under way then. Under the send lock. */
int tcp_take_piece(struct tcp *t, struct tcp_piece *piece);
/* tcp_output.c: its window and ACK. Under the receive lock. */
void tcp_head_piece(struct tcp *t, struct tcp_piece *piece);
/* tcp_segment.c: header, checksum, and down. Without locks; TCP-6 takes the one of prepending. */
void tcp_send_piece(struct xobj *s, struct tcp_piece *piece);
