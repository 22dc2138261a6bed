/* SPDX-License-Identifier: BSD-2-Clause */
/* BLAST: the clock, which runs while a message is under way. */
#include "protocols/blast/blast_private.h"

static void tick(void *arg)
{
	struct xobj *self = arg;
	struct blast *b = self->state;
	uint64_t now = event_now_ms();
	int more = blast_sent_expire(b, now);

	more |= blast_collect_expire(b, now);
	if (more)
		event_schedule(&b->clock, tick, self, BLAST_CLOCK_MS * 1000);
}

void blast_clock_start(struct xobj *self)
{
	struct blast *b = self->state;

	if (b->clock.state == EVENT_IDLE)
		event_schedule(&b->clock, tick, self, BLAST_CLOCK_MS * 1000);
}
