/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs: from bytes, and changed at random. */
#include <string.h>

#include "test/fuzz/fuzz.h"

enum { KINDS = 8 };

static uint64_t *state;

static uint32_t random32(uint32_t below)
{
	*state = *state * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(*state >> 33) % below;
}

struct program program_from(const uint8_t *bytes, size_t size)
{
	struct program p = { 0 };

	memcpy(&p, bytes, size < sizeof p ? size : sizeof p);
	p.steps = size < 2 ? 0 : (uint8_t)((size - 2) / STEP_BYTES);
	if (p.steps > MAX_STEPS)
		p.steps = MAX_STEPS;
	return p;
}

size_t program_bytes(const struct program *p)
{
	return 2 + (size_t)p->steps * STEP_BYTES;
}

static void random_step(struct program *p, int at)
{
	/* Mostly what the scenario is about. */
	static const uint8_t usual[SCENARIOS][KINDS] = {
		[LISTENING] = { STEP_TCP, STEP_TCP, STEP_TWISTED_TCP, STEP_WAIT, STEP_USER,
				STEP_TCP, STEP_TCP, STEP_MEMORY },
		[CONNECTED] = { STEP_TCP, STEP_TCP, STEP_TWISTED_TCP, STEP_WAIT, STEP_USER,
				STEP_TCP, STEP_TCP, STEP_MEMORY },
		[OPENING] = { STEP_TCP, STEP_TCP, STEP_TWISTED_TCP, STEP_WAIT, STEP_USER, STEP_TCP,
			      STEP_TCP, STEP_MEMORY },
		[DATAGRAMS] = { STEP_UDP, STEP_ICMP, STEP_ARP, STEP_FRAGMENT, STEP_UDP_USER,
				STEP_WAIT, STEP_LAYER_USER, STEP_MEMORY },
		[RPC_SERVER] = { STEP_CHAN, STEP_LONG_CHAN, STEP_BLAST, STEP_BIDCTL, STEP_WAIT,
				 STEP_CALL, STEP_LAYER_USER, STEP_MEMORY },
		[RPC_CLIENT] = { STEP_CHAN, STEP_LONG_CHAN, STEP_BLAST, STEP_BIDCTL, STEP_WAIT,
				 STEP_CALL, STEP_LAYER_USER, STEP_MEMORY },
	};

	for (int i = 0; i < STEP_BYTES; i++)
		p->step[at][i] = random32(3) ? 0 : (uint8_t)random32(256);
	p->step[at][0] = random32(8) ? usual[p->scenario % SCENARIOS][random32(KINDS)]
				     : (uint8_t)random32(STEPS);
}

static void insert(struct program *p, int at)
{
	if (p->steps >= MAX_STEPS)
		return;
	memmove(p->step[at + 1], p->step[at], (size_t)(p->steps - at) * STEP_BYTES);
	p->steps++;
}

void program_mutate(struct program *p, const struct program *other, uint64_t *random)
{
	static const uint8_t edges[] = { 0, 1, 2, 4, 8, 16, 32, 127, 128, 255 };

	state = random;
	int at = p->steps ? (int)random32(p->steps) : 0;
	uint8_t *byte = &p->step[at][random32(STEP_BYTES)];
	if (!random32(32)) /* PATIENT is a multiple of SCENARIOS */
		p->scenario = (uint8_t)(p->scenario % SCENARIOS + (random32(2) ? PATIENT : 0));
	switch (random32(p->steps ? 10 : 2)) {
	case 0:
	case 1:
		if (p->steps < MAX_STEPS) {
			at = (int)random32(p->steps + 1u);
			insert(p, at);
			random_step(p, at);
		}
		break;
	case 2:
		*byte ^= (uint8_t)(1 << random32(8));
		break;
	case 3:
		*byte = edges[random32(sizeof edges)];
		break;
	case 4:
		*byte += (uint8_t)(random32(9) - 4);
		break;
	case 5:
		*byte = (uint8_t)random32(256);
		break;
	case 6:
		memmove(p->step[at], p->step[at + 1], (size_t)(p->steps - at - 1) * STEP_BYTES);
		p->steps--;
		break;
	case 7:
		insert(p, at); /* twice the same */
		break;
	case 8:
		memcpy(p->step[random32(p->steps)], p->step[at], STEP_BYTES);
		break;
	default: /* the end of another one */
		while (p->steps < MAX_STEPS && at < other->steps) {
			memcpy(p->step[p->steps++], other->step[at], STEP_BYTES);
			at++;
		}
		break;
	}
}
