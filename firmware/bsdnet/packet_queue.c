/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsdnet/packet_queue.h"

#include "bsdnet/environment.h"

void queue_start(struct packet_queue *q, uint32_t limit)
{
	*q = (struct packet_queue){ .limit = limit };
}

int queue_put(struct packet_queue *q, struct mbuf *packet)
{
	int level = net.raise(), full = q->packets >= q->limit;

	if (full) {
		q->dropped++;
	} else {
		packet->next_packet = NULL;
		if (q->first)
			q->last->next_packet = packet;
		else
			q->first = packet;
		q->last = packet;
		q->packets++;
	}
	net.restore(level);
	if (full)
		m_freem(packet);
	return full ? -1 : 0;
}

struct mbuf *queue_take(struct packet_queue *q)
{
	int level = net.raise();
	struct mbuf *packet = q->first;

	if (packet) {
		q->first = packet->next_packet;
		packet->next_packet = NULL;
		q->packets--;
	}
	net.restore(level);
	return packet;
}
