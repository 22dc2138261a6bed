/* SPDX-License-Identifier: BSD-2-Clause */
/* BSD: the interrupt handler copies a frame from the driver's memory into mbufs. */
#include "bsdnet/driver.h"
#include "structures/inkernel/inkernel.h"
#include "xkernel/shepherd.h"

/* Where the driver puts a frame: 2 mod 16, with room for whole 16-byte pieces. */
static uint8_t memory[2 + SHEPHERD_FRAME_BYTES + 32] __attribute__((aligned(16)));
static struct shepherd only;

int shepherd_init(void)
{
	only.msg.head = memory + 2;
	return 0;
}

struct shepherd *shepherd_take(void)
{
	return &only;
}

void shepherd_put_back(struct shepherd *s)
{
	(void)s;
}

void shepherd_deliver(struct shepherd *s, struct xobj *session, size_t bytes)
{
	(void)session;
	driver_copy(shepherd_frame(s), (uint32_t)bytes);
}

const struct structure structure = {
	.name = "bsd",
	.start = inkernel_start,
	.sockets = INKERNEL_SOCKETS,
	.counts = inkernel_counts,
};
