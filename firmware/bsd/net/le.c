/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsd/net/le.h"

#include "bsd/error.h"
#include "bsd/net/ether.h"
#include "protocols/lance/lance.h"
#include "xkernel/memory/memory.h"
#include "xkernel/thread/shepherd.h"

enum { FRAMES = 17, FRAME_ROOM = 1536 + 16 }; /* with dense wiring the ring has 16 */

/* Where the driver puts a frame: 2 mod 16, with room for whole 16-byte pieces. */
static uint8_t memory[FRAMES][FRAME_ROOM] __attribute__((aligned(16)));
uint8_t le_joined[FRAME_ROOM] __attribute__((aligned(16))); /* a frame of several mbufs */
static struct shepherd shepherds[FRAMES], *first;
static struct interface *le_interface;
struct xobj *le_session;

int shepherd_init(void)
{
	first = NULL;
	for (int i = FRAMES; i-- > 0;) {
		shepherds[i].msg.head = memory[i] + 2;
		shepherd_put_back(&shepherds[i]);
	}
	return 0;
}

struct shepherd *shepherd_take(void)
{
	struct shepherd *s = first;

	if (s)
		first = s->next;
	return s;
}

void shepherd_put_back(struct shepherd *s)
{
	s->next = first;
	first = s;
}

/* Short packets into small mbufs, long ones into a cluster. NULL: not enough left. */
static struct mbuf *get(const uint8_t *from, uint32_t bytes)
{
	struct mbuf *packet = mbuf_take(M_PACKET), *m = packet;

	if (packet && bytes >= CLUSTER_FROM && m_clget(packet)) {
		m_freem(packet);
		packet = NULL;
	}
	if (!packet)
		return NULL;
	packet->packet_bytes = bytes;
	for (;;) {
		uint32_t room = mbuf_room_bytes(m), part = bytes < room ? bytes : room;

		memcpy(m->data, from, part);
		m->bytes = part;
		from += part;
		bytes -= part;
		if (!bytes)
			return packet;
		m = m->next = mbuf_take(0);
		if (!m) {
			m_freem(packet);
			return NULL;
		}
	}
}

void shepherd_deliver(struct shepherd *s, struct xobj *from, size_t bytes)
{
	const uint8_t *frame = shepherd_frame(s);
	struct mbuf *m = NULL;

	(void)from;
	if (bytes < LINK_HEADER) {
		ifstat.too_short++;
	} else {
		m = get(frame + LINK_HEADER, (uint32_t)bytes - LINK_HEADER);
		if (!m)
			ifstat.no_mbuf++;
	}
	if (m)
		ether_input(le_interface, frame, m);
	shepherd_put_back(s);
}

/* The frame as the driver takes it: a message in one piece. */
static void message_of(struct msg *frame, struct mbuf *m)
{
	uint8_t *head = m->data;

	if (m->next) {
		head = le_joined;
		m_copydata(m, 0, m->packet_bytes, le_joined);
	}
	*frame = (struct msg){ .head = head, .low = head, .tail = head + m->packet_bytes };
}

/* Nobody starts the interface when the ring has room again, so a frame that finds it full is lost,
 * as it would be on the wire. */
int le_output(struct interface *i)
{
	int result = 0;
	struct mbuf *m;
	struct msg frame;

	while ((m = packets_take(&i->send))) {
		message_of(&frame, m);
		if (xPush(le_session, &frame) < 0) {
			ifstat.ring_full++;
			result = BSD_ENOBUFS;
		} else {
			ifstat.sent++;
		}
		m_freem(m);
	}
	return result;
}

int le_start(struct xobj *user, struct interface *i)
{
	le_interface = i;
	i->start = le_output;
	le_session = xOpen(user, user, user->down[0], NULL);
	return le_session ? 0 : -1;
}
