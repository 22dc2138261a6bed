/* SPDX-License-Identifier: BSD-2-Clause */
#include "bsdnet/pool/pool.h"

#include "bsdnet/pool/poison.h"
#include "xkernel/memory/memory.h"

/* xorshift64*: of a seed, never of time. */
static uint32_t draw(struct pool *p, uint32_t below)
{
	p->random ^= p->random >> 12;
	p->random ^= p->random << 25;
	p->random ^= p->random >> 27;
	return (uint32_t)(((p->random * 0x2545f4914f6cdd1d >> 32) * below) >> 32);
}

static void *buffer_at(const struct pool *p, uint32_t index)
{
	return p->area + (size_t)index * p->bytes;
}

static uint32_t index_of(const struct pool *p, const void *buffer)
{
	size_t offset = (size_t)((const uint8_t *)buffer - p->area);

	return (uint32_t)(offset >> p->shift);
}

static void append(struct pool *p, struct pool_link *l)
{
	l->next = NULL;
	if (p->first)
		p->last->next = l;
	else
		p->first = l;
	p->last = l;
}

static void prepend(struct pool *p, struct pool_link *l)
{
	l->next = p->first;
	if (!p->first)
		p->last = l;
	p->first = l;
}

/* Links all buffers in an order drawn from the seed: each has the same chance at each place. */
static void shuffle(struct pool *p)
{
	static uint16_t left[POOL_MAX];

	for (uint32_t i = 0; i < p->count; i++)
		left[i] = (uint16_t)i;
	for (uint32_t n = p->count; n; n--) {
		uint32_t i = draw(p, n);

		append(p, buffer_at(p, left[i]));
		left[i] = left[n - 1];
	}
}

/* Links all buffers by address, as a pool that has grown page by page. */
static void in_order(struct pool *p, uint64_t place)
{
	struct pool seeded = { .random = place };
	uint32_t first = place ? draw(&seeded, p->count) : 0;

	for (uint32_t i = 0; i < p->count; i++)
		append(p, buffer_at(p, (first + i) % p->count));
}

void pool_start(struct pool *p, const struct pool_config *config, uint32_t buffer_bytes)
{
	memset(p, 0, sizeof *p);
	p->area = config->area;
	p->bytes = buffer_bytes;
	while (1u << p->shift < buffer_bytes)
		p->shift++;
	p->count = config->count < POOL_MAX ? config->count : POOL_MAX;
	p->free = p->count;
	p->order = config->order;
	p->random = config->shuffle ? config->shuffle : 1;
	unpoison(p->area, (size_t)p->count * p->bytes);
	if (config->shuffle)
		shuffle(p);
	else
		in_order(p, config->place);
	for (uint32_t i = 0; i < p->count; i++)
		poison((uint8_t *)buffer_at(p, i) + sizeof(struct pool_link),
		       p->bytes - sizeof(struct pool_link));
}

static void *take_any(struct pool *p)
{
	uint32_t i = draw(p, p->count);

	while (p->references[i])
		i = i + 1 < p->count ? i + 1 : 0;
	return buffer_at(p, i);
}

void *pool_take(struct pool *p)
{
	void *buffer;

	if (!p->free)
		return NULL;
	if (p->order == POOL_SCATTERED) {
		buffer = take_any(p);
	} else {
		buffer = p->first;
		p->first = p->first->next;
	}
	p->free--;
	p->references[index_of(p, buffer)] = 1;
	unpoison(buffer, p->bytes);
	return buffer;
}

int pool_share(struct pool *p, void *buffer)
{
	uint8_t *references = &p->references[index_of(p, buffer)];

	if (*references == UINT8_MAX)
		return -1;
	++*references;
	return 0;
}

int pool_give(struct pool *p, void *buffer)
{
	uint8_t *references = &p->references[index_of(p, buffer)];

	if (!*references)
		return -1;
	if (--*references)
		return 0;
	p->free++;
	if (p->order == POOL_LIFO)
		prepend(p, buffer);
	else if (p->order == POOL_FIFO)
		append(p, buffer);
	poison((uint8_t *)buffer + sizeof(struct pool_link), p->bytes - sizeof(struct pool_link));
	return 0;
}
