/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/fuzz/acts.h"

#include <string.h>

#include "platform/host/host.h"

struct turn {
	const struct acts *acts;
	uint8_t step[16];
};

static void take_turn(void *arg)
{
	const struct turn *t = arg;

	switch (t->step[1] % 8) {
	case 0:
	case 1:
		t->acts->open(t->step);
		break;
	case 2:
		t->acts->close(t->step);
		break;
	case 3:
	case 4:
		t->acts->push(t->step);
		break;
	case 5:
		t->acts->enable(t->step);
		break;
	case 6:
		t->acts->answer(t->step);
		break;
	default:
		t->acts->control(t->step);
		break;
	}
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
