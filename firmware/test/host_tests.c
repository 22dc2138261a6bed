/* SPDX-License-Identifier: BSD-2-Clause */
/* usage: host_tests --list | host_tests NAME... */
#include <string.h>

#include "test/case.h"

static const struct test_case *const tables[] = {
	msg_cases,	     map_cases,		  checksum_cases,   event_cases,
	thread_cases,	     idle_cases,	  eth_ip_cases,	    tcp_open_cases,
	tcp_closed_cases,    tcp_half_open_cases, tcp_data_cases,   tcp_close_cases,
	tcp_reset_cases,     tcp_timer_cases,	  tcp_window_cases, tcp_memory_cases,
	tcp_net2_cases,	     udp_open_cases,	  ping_cases,	    tcp_states_cases,
	tcp_keepalive_cases, blast_cases,	  bid_cases,	    chan_cases,
	chan_client_cases,   rpc_cases,		  blast_loss_cases, blast_bad_cases,
};

int main(int argc, char **argv)
{
	int list = argc == 2 && !strcmp(argv[1], "--list"), found = 0;

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		for (const struct test_case *c = tables[i]; c->name; c++) {
			if (list)
				puts(c->name);
			for (int a = 1; a < argc; a++) {
				if (strcmp(argv[a], c->name))
					continue;
				c->run();
				found++;
			}
		}
	}
	return list || found == argc - 1 ? 0 : 2;
}
