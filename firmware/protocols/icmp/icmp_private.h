/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/icmp/icmp.h"

struct icmp_header {
	uint32_t type_code_checksum; /* 8, 8, 16 */
	uint32_t ident_sequence;     /* echo: the asker's own */
} __attribute__((may_alias));

/* A header in front of m, checksum over both. */
int icmp_send(struct xobj *ip_session, struct msg *m, uint32_t type_code, uint32_t ident_sequence);
/* IP's session to a host, for us; NULL: none. */
struct xobj *icmp_open(struct xobj *self, uint32_t host);

int icmp_report(struct xobj *self, const struct icmp_report *report);
int icmp_ping(struct xobj *self, struct icmp_ping *ping);
void icmp_ping_answer(uint32_t ident_sequence, const struct msg *m);
