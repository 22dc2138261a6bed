/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies of the template for sessions: made, compared when they go, given back. */
#include "xkernel/own_code/own_code.h"

#include "platform/platform.h"
#include "xkernel/console.h"

#if XK_FAST_OWN
#include "platform/alpha/pal.h"

#define FIELD 0xffffu	    /* of a memory instruction */
#define BRANCH 0x1fffffu    /* of a branch */
#define LDAH_GP 0x27bb0000u /* ldah gp, ..(pv): how a function begins that loads gp */

#pragma GCC visibility push(hidden)
extern uint8_t _start[];
extern const uint64_t own_code_template[]; /* template.S */
#pragma GCC visibility pop

struct own_code_counts own_code_counts;
static uint8_t used[OWN_CODE_SLOTS];

static const struct own_code_header *header(void)
{
	return (const struct own_code_header *)own_code_template;
}

static const uint32_t *template_words(void)
{
	return (const uint32_t *)(header() + 1);
}

static const struct own_code_patch *template_patches(void)
{
	return (const struct own_code_patch *)(template_words() + header()->words);
}

static uint32_t *slot_words(uint64_t number)
{
	const struct own_code_header *h = header();

	return (uint32_t *)(_start + h->slots + h->slot_bytes * number);
}

static uint64_t constant(const struct xobj *session, const struct own_code_patch *p)
{
	uint64_t value = (uintptr_t)session;

	for (uint32_t i = 0; i < p->steps; i++)
		value = *(const uint64_t *)(value + p->offset[i]);
	return value;
}

static int set_branch(uint32_t *word, uint64_t target)
{
	int64_t words = ((int64_t)target - (int64_t)(uintptr_t)word - 4) / 4;

	*word = (*word & ~BRANCH) | ((uint32_t)words & BRANCH);
	return words < -(int64_t)(BRANCH / 2 + 1) || words > (int64_t)(BRANCH / 2);
}

/* Past the load of gp, which all functions share. */
static uint64_t without_gp(uint64_t function)
{
	const uint32_t *code = (const uint32_t *)function;

	return (*code & ~FIELD) == LDAH_GP ? function + 8 : function;
}

/* 0: the words that are at `words` now have the constant. */
static int fill_in(const struct xobj *session, const struct own_code_patch *p, uint32_t *words)
{
	uint64_t value = constant(session, p);
	uint32_t *at = words + p->at;

	switch (p->kind) {
	case OWN_PATCH_ADDRESS: {
		int64_t far =
		    (int64_t)(value + p->value) - (int64_t)(uintptr_t)(_start + header()->gp);
		int16_t low = (int16_t)far;

		*at = (*at & ~FIELD) | ((uint32_t)((far - low) >> 16) & FIELD);
		words[p->low] = (words[p->low] & ~FIELD) | ((uint32_t)low & FIELD);
		return (int32_t)far != far || far - low > INT32_MAX;
	}
	case OWN_PATCH_SMALL: {
		int32_t number = *(const int32_t *)(value + p->value);

		*at = (*at & ~FIELD) | ((uint32_t)number & FIELD);
		return number < 0 || number > INT16_MAX;
	}
	case OWN_PATCH_CALL:
		return set_branch(at, without_gp(value));
	case OWN_PATCH_BRANCH:
		return set_branch(at, (uintptr_t)(_start + p->value));
	case OWN_PATCH_NOT_ZERO:
		return *(const uint64_t *)(value + p->value) == 0;
	case OWN_PATCH_INSIDE:
		return value != (uintptr_t)session + p->value;
	}
	return 1;
}

static int fill_in_all(const struct xobj *session, uint32_t *words)
{
	const struct own_code_patch *p = template_patches();

	for (uint32_t i = 0; i < header()->patches; i++)
		if (fill_in(session, &p[i], words))
			return 1;
	return 0;
}

static void copy_words(uint32_t *to)
{
	const uint64_t *from = (const uint64_t *)template_words();
	uint64_t *quads = (uint64_t *)to;

	for (uint32_t i = 0; i < header()->words / 2; i++)
		quads[i] = from[i];
}

uint64_t own_code_open(const struct xobj *session, uintptr_t code[OWN_CODE_FUNCTIONS])
{
	uint64_t begin = plat_ticks(), slot = 0;
	uint32_t *words;

	if (header()->magic != OWN_CODE_MAGIC)
		console_fail("own code", "the image has no template");
	while (slot < OWN_CODE_SLOTS && used[slot])
		slot++;
	if (slot == OWN_CODE_SLOTS) {
		own_code_counts.no_slot++;
		return 0;
	}
	words = slot_words(slot);
	copy_words(words);
	if (fill_in_all(session, words)) {
		own_code_counts.no_fit++;
		return 0;
	}
	pal_imb();
	used[slot] = 1;
	for (int i = 0; i < OWN_CODE_FUNCTIONS; i++)
		code[i] = (uintptr_t)(words + header()->entry[i]);
	own_code_counts.made++;
	own_code_counts.ticks += plat_ticks() - begin;
	return slot + 1;
}

void own_code_check(const struct xobj *session, uint64_t slot)
{
	const struct own_code_patch *p = template_patches();
	uint32_t *words = slot_words(slot - 1);

	for (uint32_t i = 0; i < header()->patches; i++) {
		uint32_t high = words[p[i].at], low = words[p[i].low];

		if (fill_in(session, &p[i], words) || words[p[i].at] != high ||
		    words[p[i].low] != low)
			console_fail("own code", "a constant has changed");
	}
}

void own_code_close(uint64_t slot)
{
	uint32_t *words = slot_words(slot - 1);

	/* A call from now on stops the machine. */
	for (int i = 0; i < OWN_CODE_FUNCTIONS; i++)
		words[header()->entry[i]] = PAL_BUGCHK;
	pal_imb();
	used[slot - 1] = 0;
	own_code_counts.closed++;
}

void own_code_report(void)
{
	const struct own_code_counts *c = &own_code_counts;

	console_text("own code: ");
	console_number(c->made);
	console_text(" made in ");
	console_number(c->ticks);
	console_text(" ticks, ");
	console_number(c->closed);
	console_text(" closed, ");
	console_number(c->no_slot);
	console_text(" without a slot, ");
	console_number(c->no_fit);
	console_text(" without place for a constant\n");
}

#endif
