/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/fuzz/steps/acts.h"

#include <string.h>

#include "platform/host/host.h"

struct turn {
	const struct acts *acts;
	uint8_t step[16];
};

static void take_turn(void *arg)
{
	const struct turn *t = arg;
	const struct acts *a = t->acts;
	void (*const all[])(const uint8_t *) = { a->open, a->open,   a->close,	a->push,
						 a->push, a->enable, a->answer, a->control };

	all[t->step[1] % 8](t->step);
}

void act(const struct acts *acts, const uint8_t *step)
{
	/* Its thread may go on when the program is long at another step. */
	static struct turn turns[256];
	static unsigned next;
	struct turn *mine = &turns[next++ % 256];

	mine->acts = acts;
	memcpy(mine->step, step, sizeof mine->step);
	host_call(take_turn, mine);
}
