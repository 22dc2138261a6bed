/* SPDX-License-Identifier: BSD-2-Clause */
/* The cloner: copies main-line code to where a layout wants it, before the kernel starts
 * (SIGCOMM'96 3.2, cloning.md). Works from a table made after the link; believes nothing. */
#include <stddef.h>

#include "clone/instruction.h"
#include "clone/table.h"
#include "platform/alpha/pal.h"
#include "xkernel/console.h"

/* Hidden: addressed by gp, without GOT slots of their own. */
#pragma GCC visibility push(hidden)
extern uint8_t _start[], clone_area[], clone_area_end[];
extern const uint32_t clone_table[]; /* entry.S */
#pragma GCC visibility pop
void clone_boot(void);

/* On the stack: no variable of the cloner's moves the kernel's. */
struct cloner {
	const struct clone_header *header;
	const struct clone_copy *copies;
	const struct clone_fix *edits, *fixes;
};

static uint32_t *at(uint32_t offset)
{
	return (uint32_t *)(_start + offset);
}

_Noreturn static void refuse(const char *what)
{
	console_fail("the cloner", what);
}

static uint32_t sum(const uint32_t *words, uint32_t count)
{
	uint32_t total = 0;

	while (count--)
		total = (total << 1 | total >> 31) ^ *words++;
	return total;
}

/* Where an instruction, or what follows it if it is left out, is from now on. */
static uint32_t where(const struct cloner *t, uint32_t old)
{
	uint32_t first = 0, last = t->header->copies, dropped = 0;
	const struct clone_copy *c;

	while (first < last) { /* the first copy whose source lies behind */
		uint32_t middle = (first + last) / 2;

		if (t->copies[middle].source <= old)
			first = middle + 1;
		else
			last = middle;
	}
	if (!first)
		return old;
	c = &t->copies[first - 1];
	if (old >= c->source + 4 * c->words)
		return old;
	for (uint32_t k = c->first; k < c->first + c->edits && t->edits[k].at < old; k++)
		dropped += t->edits[k].kind == FIX_DROP;
	return c->target + (old - c->source) - 4 * dropped;
}

static void branch(uint32_t *word, uint32_t instruction, uint32_t from, uint32_t to)
{
	int64_t words = ((int64_t)to - (int64_t)from - 4) / 4;

	if (words < -BRANCH_REACH || words >= BRANCH_REACH)
		refuse("a branch does not reach its target");
	*word = (instruction & ~BRANCH_FIELD) | ((uint32_t)words & BRANCH_FIELD);
}

/* An ldah and an lda that together add `value`. */
static void split(uint32_t *high, uint32_t *low, int64_t value)
{
	int16_t lower = (int16_t)value;

	*high = (*high & ~MEMORY_FIELD) | ((uint32_t)((value - lower) >> 16) & MEMORY_FIELD);
	*low = (*low & ~MEMORY_FIELD) | ((uint32_t)lower & MEMORY_FIELD);
}

/* place[i]: where word i of the original goes. */
static void map_words(const struct clone_copy *c, const struct clone_fix *edit, uint32_t *place)
{
	uint32_t to = c->target, from = c->source;
	const struct clone_fix *end = edit + c->edits;

	for (uint32_t i = 0; i < c->words; i++, from += 4) {
		place[i] = to;
		if (edit < end && edit->at == from)
			to -= (edit++)->kind == FIX_DROP ? 4 : 0;
		to += 4;
	}
}

static void copy(const struct cloner *t, const struct clone_copy *c, uint32_t *place)
{
	const struct clone_fix *edit = &t->edits[c->first], *end = edit + c->edits;
	const uint32_t *in = at(c->source);
	uint32_t next = edit < end ? edit->at : 0;

	map_words(c, edit, place);
	for (uint32_t i = 0, from = c->source; i < c->words; i++, from += 4) {
		uint32_t word = in[i], *out = at(place[i]), kind = 0, to;

		if (from == next) {
			kind = edit->kind;
			to = edit->to;
			next = ++edit < end ? edit->at : 0;
		}
		if (kind == FIX_DROP)
			continue;
		if (kind == FIX_UNOP) {
			*out = UNOP;
		} else if (kind == FIX_CALL) {
			branch(out, direct_call(word), place[i], where(t, to));
		} else if (is_branch(word)) {
			to = branch_target(word, from);
			to = to - c->source < 4 * c->words ? place[(to - c->source) / 4]
							   : where(t, to);
			branch(out, word, place[i], to);
		} else {
			*out = word;
		}
	}
}

/* Only when all of it has been copied are both instructions there. */
static void set_gp(const struct cloner *t, const struct clone_copy *c, const uint32_t *place)
{
	const struct clone_fix *edit = &t->edits[c->first];

	for (uint32_t i = 0; i < c->edits; i++, edit++) {
		uint32_t word = (edit->at - c->source) / 4, here = place[word];

		if (edit->kind == FIX_GP)
			split(at(here), at(place[word + (uint32_t)(edit->distance / 4)]),
			      (int64_t)t->header->gp - here);
	}
}

static void redirect(const struct cloner *t, const struct clone_fix *fix)
{
	uint32_t *word = at(fix->at), to = where(t, fix->to);

	if (fix->kind == FIX_ADDRESS)
		split(word, at(fix->at + fix->distance), (int64_t)to - t->header->gp);
	else if (fix->kind == FIX_BRANCH)
		branch(word, *word, fix->at, to);
	else if (*(uint64_t *)word != (uintptr_t)at(fix->to))
		refuse("a pointer does not hold what the table says");
	else
		*(uint64_t *)word = (uintptr_t)at(to);
}

/* Nothing leads to the original's main line any more; if something does, the machine stops. */
static void close_original(const struct clone_copy *c)
{
	for (uint32_t i = 0; i < c->words; i++)
		at(c->source)[i] = PAL_BUGCHK;
}

static void check(const struct cloner *t)
{
	const uint32_t *words = (const uint32_t *)(t->header + 1);
	uint32_t area = (uint32_t)(clone_area - _start), end = (uint32_t)(clone_area_end - _start);

	if (t->header->magic != CLONE_MAGIC)
		refuse("the image has no table");
	if (t->header->words > (CLONE_TABLE_BYTES - sizeof *t->header) / 4 ||
	    sum(words, t->header->words) != t->header->sum)
		refuse("the table is damaged");
	for (uint32_t i = 0; i < t->header->copies; i++) {
		const struct clone_copy *c = &t->copies[i];

		if (c->words > CLONE_WORDS || c->first + c->edits > t->header->edits)
			refuse("a copy is too long");
		if (c->target < area || c->target + 4 * c->words > end)
			refuse("a copy lies outside the area");
		if (i && c->source < t->copies[i - 1].source + 4 * t->copies[i - 1].words)
			refuse("two functions overlap");
		if (sum(at(c->source), c->words) != c->sum)
			refuse("the table was made for other code");
	}
}

void clone_boot(void)
{
	struct cloner t;
	uint32_t place[CLONE_WORDS];

	t.header = (const struct clone_header *)clone_table;
	t.copies = (const struct clone_copy *)(t.header + 1);
	t.edits = (const struct clone_fix *)(t.copies + t.header->copies);
	t.fixes = t.edits + t.header->edits;
	check(&t);
	for (uint32_t i = 0; i < t.header->fixes; i++)
		if (t.fixes[i].kind == FIX_ADDRESS)
			redirect(&t, &t.fixes[i]); /* before they are copied */
	for (uint32_t i = 0; i < t.header->copies; i++) {
		copy(&t, &t.copies[i], place);
		set_gp(&t, &t.copies[i], place);
		close_original(&t.copies[i]);
	}
	for (uint32_t i = 0; i < t.header->fixes; i++)
		if (t.fixes[i].kind != FIX_ADDRESS)
			redirect(&t, &t.fixes[i]);
	pal_imb();
}
