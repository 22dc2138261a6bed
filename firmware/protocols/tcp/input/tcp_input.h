/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments that come in. */
#pragma once

#include "protocols/tcp/tcp_private.h"

int tcp_demux(struct xobj *self, struct xobj *lower, struct msg *m);
int tcp_pop(struct xobj *s, struct xobj *lower, struct msg *m, void *header);
int tcp_listen_input(struct xobj *self, struct passive_enable *l, struct xobj *lower,
		     struct tcp_segment *g);
/* Each of these: 0: go on with the segment; 1: it is dealt with. */
int tcp_syn_sent_input(struct xobj *s, struct tcp_segment *g, struct msg *m);
int tcp_trim_to_window(struct xobj *s, struct tcp_segment *g, struct msg *m);
int tcp_ack_input(struct xobj *s, struct tcp_segment *g);
void tcp_data_input(struct xobj *s, struct tcp_segment *g, struct msg *m);
