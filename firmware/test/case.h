/* SPDX-License-Identifier: BSD-2-Clause */
/* Test cases: each runs in a process of its own, `host_tests NAME`. */
#ifndef CASE_H
#define CASE_H

#include <stdio.h>
#include <stdlib.h>

struct test_case {
	const char *name;
	void (*run)(void);
};

/* Tables end with a case without a name. */
extern const struct test_case msg_cases[], map_cases[], checksum_cases[], event_cases[],
    thread_cases[], idle_cases[], eth_ip_cases[], tcp_open_cases[], tcp_closed_cases[],
    tcp_half_open_cases[], tcp_data_cases[], tcp_close_cases[], tcp_reset_cases[],
    tcp_timer_cases[], tcp_window_cases[], tcp_memory_cases[], tcp_net2_cases[], udp_open_cases[],
    ping_cases[], tcp_states_cases[], tcp_keepalive_cases[], blast_cases[], blast_bad_cases[],
    bid_cases[], chan_cases[], chan_client_cases[], rpc_cases[], blast_loss_cases[];

#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(a, b)                                                                          \
	check_equal((unsigned long long)(a), (unsigned long long)(b), #a " == " #b, __FILE__,      \
		    __LINE__)

static inline void check(int ok, const char *what, const char *file, int line)
{
	if (ok)
		return;
	fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
	exit(1);
}

static inline void check_equal(unsigned long long a, unsigned long long b, const char *what,
			       const char *file, int line)
{
	if (a == b)
		return;
	fprintf(stderr, "%s:%d: failed: %s (%llu, %llu)\n", file, line, what, a, b);
	exit(1);
}
#endif
