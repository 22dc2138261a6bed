/* SPDX-License-Identifier: BSD-2-Clause */
/* The x-kernel: a shepherd takes a frame up to the socket. All of it is in the kernel. */
#include "protocols/fragment/fragment.h"
#include "protocols/ip/ip.h"
#include "protocols/lance/lance.h"
#include "protocols/udp/udp.h"
#include "structures/xkernel/xsocket.h"
#include "xkernel/console.h"
#include "xkernel/graph.h"
#include "xkernel/thread/shepherd.h"

static int start(void)
{
	const struct graph *graph = graph_find("xkernel");
	const char *failed = NULL;

	if (graph && graph_start(graph, &failed) == XK_OK)
		return 0;
	console_text(failed ? failed : "no graph");
	console_text(" did not start\n");
	return -1;
}

static const struct count counts[] = {
	{ "driver: received", &lance_counts.received },
	{ "driver: no shepherd", &lance_counts.no_shepherd },
	{ "ip: received", &ip_counts.received },
	{ "ip: bad checksum", &ip_counts.bad_checksum },
	{ "ip: fragments", &fragment_counts.received },
	{ "ip: timed out", &fragment_counts.timed_out },
	{ "ip: reassembled", &fragment_counts.reassembled },
	{ "udp: received", &udp_counts.received },
	{ "udp: bad checksum", &udp_counts.bad_checksum },
	{ "udp: no port", &udp_counts.no_port },
	{ "socket: full", &xsocket_counts.full },
	{ "socket: read", &xsocket_counts.read },
	{ NULL, NULL },
};

const struct structure structure = {
	.name = "xkernel",
	.start = start,
	.sockets = {
		.socket = xsocket_socket,
		.bind = xsocket_bind,
		.limits = xsocket_limits,
		.receive = xsocket_receive,
		.send = xsocket_send,
		.close = xsocket_close,
		.ended = xsocket_ended,
	},
	.counts = counts,
};
