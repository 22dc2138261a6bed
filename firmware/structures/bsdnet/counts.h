/* SPDX-License-Identifier: BSD-2-Clause */
/* The counts that a program with bsdnet in it prints at its end. */
#ifndef STRUCTURES_COUNTS_H
#define STRUCTURES_COUNTS_H

#include "bsdnet/driver.h"
#include "bsdnet/inet/ip.h"
#include "bsdnet/inet/reassembly.h"
#include "bsdnet/inet/udp.h"
#include "bsdnet/socket/socket.h"
#include "kernel/user/calls.h"

static const struct count counts[] = {
	{ "server: copied", &driver_counts.copied },
	{ "server: no buffer", &driver_counts.no_buffer },
	{ "ip: fragments", &reassembly_counts.fragments },
	{ "ip: timed out", &reassembly_counts.timed_out },
	{ "ip: delivered", &ipin_counts.delivered },
	{ "udp: bad checksum", &udpin_counts.bad_checksum },
	{ "udp: no port", &udpin_counts.no_port },
	{ "socket: full by bytes", &socket_counts.full_bytes },
	{ "socket: full by mbufs", &socket_counts.full_mbufs },
	{ "socket: read", &socket_counts.read },
	{ NULL, NULL },
};

static void say_counts(void)
{
	for (const struct count *c = counts; c->name; c++) {
		if (!*c->value)
			continue;
		user_print(c->name);
		user_print(" ");
		user_print_number(*c->value);
		user_print("\n");
	}
}
#endif
