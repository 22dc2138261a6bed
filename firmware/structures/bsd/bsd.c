/* SPDX-License-Identifier: BSD-2-Clause */
/* BSD: the interrupt handler copies a frame from the driver's memory into mbufs. */
#include "bsdnet/driver.h"
#include "structures/inkernel/inkernel.h"
#include "xkernel/thread/shepherd.h"

enum { FRAMES = 17 }; /* with dense wiring the ring has 16 */

/* Where the driver puts a frame: 2 mod 16, with room for whole 16-byte pieces. */
static uint8_t memory[FRAMES][1536 + 16] __attribute__((aligned(16)));
static struct shepherd shepherds[FRAMES], *first;

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

void shepherd_deliver(struct shepherd *s, struct xobj *session, size_t bytes)
{
	(void)session;
	driver_copy(shepherd_frame(s), (uint32_t)bytes);
	shepherd_put_back(s);
}

const struct structure structure = {
	.name = "bsd",
	.start = inkernel_start,
	.sockets = INKERNEL_SOCKETS,
	.counts = inkernel_counts,
};
