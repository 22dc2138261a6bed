/* SPDX-License-Identifier: BSD-2-Clause */
/* HPUX: a frame is put into a cluster that was given in advance; nothing is copied. Today the
 * driver puts it there; with dense wiring the controller will. */
#include "bsdnet/driver.h"
#include "structures/inkernel/inkernel.h"
#include "xkernel/shepherd.h"

static struct shepherd only;
static struct mbuf *cluster; /* the next frame's; NULL: none was left */

int shepherd_init(void)
{
	return 0;
}

struct shepherd *shepherd_take(void)
{
	if (!cluster)
		cluster = driver_cluster();
	if (!cluster)
		return NULL;
	only.msg.head = driver_place(cluster);
	return &only;
}

void shepherd_put_back(struct shepherd *s)
{
	(void)s;
}

void shepherd_deliver(struct shepherd *s, struct xobj *session, size_t bytes)
{
	(void)s;
	(void)session;
	driver_filled(cluster, (uint32_t)bytes);
	cluster = NULL;
}

const struct structure structure = {
	.name = "hpux",
	.start = inkernel_start,
	.sockets = INKERNEL_SOCKETS,
	.counts = inkernel_counts,
};
