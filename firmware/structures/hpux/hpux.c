/* SPDX-License-Identifier: BSD-2-Clause */
/* HPUX: a frame is put into a cluster that was given in advance; nothing is copied. With dense
 * wiring the controller puts it there, else the driver does. */
#include "bsdnet/driver.h"
#include "structures/inkernel/inkernel.h"
#include "xkernel/thread/shepherd.h"

enum { FRAMES = 17 }; /* with dense wiring the ring has 16 */

static struct given {
	struct shepherd shepherd;
	struct mbuf *cluster; /* NULL: it waits for one */
} given[FRAMES];
static struct shepherd *first;

int shepherd_init(void)
{
	first = NULL;
	for (int i = FRAMES; i-- > 0;) {
		given[i].cluster = NULL;
		shepherd_put_back(&given[i].shepherd);
	}
	return 0;
}

struct shepherd *shepherd_take(void)
{
	struct given *g = (struct given *)first;

	if (!g)
		return NULL;
	if (!g->cluster)
		g->cluster = driver_cluster();
	if (!g->cluster)
		return NULL;
	first = g->shepherd.next;
	g->shepherd.msg.head = driver_place(g->cluster);
	return &g->shepherd;
}

void shepherd_put_back(struct shepherd *s)
{
	s->next = first;
	first = s;
}

void shepherd_deliver(struct shepherd *s, struct xobj *session, size_t bytes)
{
	struct given *g = (struct given *)s;

	(void)session;
	driver_filled(g->cluster, (uint32_t)bytes);
	g->cluster = NULL;
	shepherd_put_back(s);
}

const struct structure structure = {
	.name = "hpux",
	.start = inkernel_start,
	.sockets = INKERNEL_SOCKETS,
	.counts = inkernel_counts,
};
