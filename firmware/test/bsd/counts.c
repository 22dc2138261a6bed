/* SPDX-License-Identifier: BSD-2-Clause */
/* The counters of the x-kernel's protocols, by those of the production stack: cases look at
 * them. */
#include "test/bsd/counts.h"

#include "bsd/inet/ip.h"
#include "bsd/tcp/tcp.h"
#include "protocols/eth/eth.h"
#include "protocols/ip/ip.h"
#include "protocols/keepalive/keepalive.h"
#include "protocols/tcp/tcp.h"

struct tcp_counts tcp_counts;
struct ip_counts ip_counts;
struct eth_counts eth_counts;
struct keepalive_counts keepalive_counts;

void counts_copy(void)
{
	const struct tcpstat *t = &tcpstat;

	tcp_counts = (struct tcp_counts){
		.too_short = t->too_short,
		.bad_checksum = t->bad_checksum,
		.bad_offset = t->bad_offset,
		.not_ours = t->not_ours,
		.no_memory = t->no_memory,
		.no_ack_flag = t->no_ack_flag,
		.reset_outside_window = t->reset_outside_window,
		.half_open_evicted = sockstat.evicted,
		.resets_sent = t->resets_sent,
		.acks_of_unsent = t->acks_of_unsent,
		.duplicates = t->duplicates,
		.beyond_window = t->beyond_window,
		.syn_in_window = t->syn_in_window,
		.after_close = t->after_close,
		.segments_received = t->segments_received,
		.segments_sent = t->segments_sent,
		.pure_acks_sent = t->pure_acks_sent,
		.out_of_order = t->out_of_order,
		.reassembly_full = t->reassembly_full,
		.delayed_acks_sent = t->delayed_acks_sent,
		.retransmit_timeouts = t->retransmit_timeouts,
		.fast_retransmits = t->fast_retransmits,
		.persist_probes = t->persist_probes,
		.window_updates = t->window_updates,
		.connections_opened = t->connections_opened,
		.connections_accepted = t->connections_accepted,
		.connections_dropped = t->connections_dropped,
		.transmit_full = t->transmit_full,
	};
	ip_counts = (struct ip_counts){
		.received = ipstat.delivered,
		.sent = ipstat.sent,
		.too_short = ipstat.too_short,
		.bad_version = ipstat.bad_version,
		.bad_header_length = ipstat.bad_header_length,
		.bad_checksum = ipstat.bad_checksum,
		.bad_length = ipstat.bad_length,
		.ttl_expired = ipstat.ttl_expired,
		.not_ours = ipstat.not_ours,
		.bad_source = t->bad_source,
		.fragments_refused = ipstat.fragments_refused,
		.unknown_protocol = ipstat.unknown_protocol,
		.no_memory = ipstat.no_mbuf,
		.link_broadcast = ipstat.link_broadcast,
	};
	eth_counts = (struct eth_counts){
		.runt = ifstat.too_short,
		.not_ours = ifstat.not_ours,
		.unknown_type = ifstat.unknown_type,
	};
	keepalive_counts.probes = t->keepalive_probes;
	keepalive_counts.given_up = t->given_up;
}
