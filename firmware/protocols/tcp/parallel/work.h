/* SPDX-License-Identifier: BSD-2-Clause */
/* A processor's calls to other layers for a connection, after it has released its locks. */
#pragma once

#include "protocols/tcp/tcp_constants.h"
#include "protocols/tcp/tcp_header.h"
#include "protocols/tcp/tcp_order.h"
#include "xkernel/map/map.h"
#include "xkernel/upi.h"

enum {
	TCP_WORK_GOES_ON = 8, /* segments after which the rest waits for a new turn */
	TCP_WORK_SENDS = 4 + TCP_WORK_GOES_ON, /* and what an answer may add to them */
	TCP_WORK_UPS = TCP_MAX_EARLY + 1,
	TCP_WORK_CLOSES = 4,
};

/* A segment without its checksum. */
struct tcp_send {
	struct xobj *ip_session;
	struct tcp_header *header;
	uint64_t pseudo_sum;
	struct msg m;
};

struct tcp_work {
	struct xobj *session;
	uint32_t sends, ups, closes;
	uint32_t unbind;    /* the connection is over */
	uint32_t give_back; /* the reference that a half-open connection had */
	uint32_t accepted;  /* the receiver has to be told of it */
	struct tcp_order order;
	int (*goes_on)(struct xobj *s); /* sends the rest; NULL: there is none */
	enum xk_close why[TCP_WORK_CLOSES];
	struct tcp_send send[TCP_WORK_SENDS];
	struct msg up[TCP_WORK_UPS];
};

struct tcp;
struct tcp_protocol;

/* All locks of the state; what follows is noted in `work`, which lies on the caller's stack. */
void tcp_enter(struct xobj *s, struct tcp_work *work);
void tcp_leave(struct tcp_work *work); /* unlocks, and does it */

#define TCP_BEGIN(s)                                                                               \
	struct tcp_work work;                                                                      \
	tcp_enter(s, &work)
#define TCP_END tcp_leave(&work)

/* Between the two; m's contents move. */
void tcp_up(struct xobj *s, struct msg *m);
void tcp_tell(struct xobj *s, enum xk_close why);
void tcp_unbind(struct tcp_protocol *p, struct tcp *t);
void tcp_give_back(struct xobj *s);
void tcp_accept_later(void);
int tcp_may_go_on(int (*output)(struct xobj *s)); /* 0: what is left waits */

/* Between the two it is noted; else it is done at once. */
int tcp_send_later(struct xobj *ip_session, struct msg *m, struct tcp_header *h,
		   uint64_t pseudo_sum);

/* A half-open connection more: 0 if there are as many as may be. */
int tcp_may_be_born(struct tcp_protocol *p);
void tcp_is_not_born(struct tcp_protocol *p); /* it has come to nothing */

/* An active open: 0 when the connection is established. */
int tcp_connect(struct xobj *s);
/* Each connection, with a reference, while its map is not locked. */
void tcp_for_each(struct tcp_protocol *p, int (*visit)(const uint64_t *, void *, void *),
		  void *arg);
