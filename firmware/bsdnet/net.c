/* SPDX-License-Identifier: BSD-2-Clause */
/* All of bsdnet: its start, its software interrupt, its clock. */
#include "bsdnet/driver.h"
#include "bsdnet/environment.h"
#include "bsdnet/inet/ip.h"
#include "bsdnet/inet/reassembly.h"
#include "bsdnet/socket/socket.h"

struct net_config net_config;
struct net_environment net;

void net_start(const struct net_config *config, const struct net_environment *environment)
{
	net_config = *config;
	net = *environment;
	mbuf_start();
	driver_start();
	ether_start();
	ip_start();
	ip_output_start();
	udp_start();
	sockets_start();
}

void net_run(void)
{
	struct mbuf *m;

	while ((m = queue_take(&ip_queue)))
		ip_input(m);
}

void net_half_second(void)
{
	reassembly_half_second();
}
