/* SPDX-License-Identifier: BSD-2-Clause */
/* The fast path of many channels: the table by which a frame finds its channel, and the channels'
 * own code (docs/explanation/cloning.md). */
#include "protocols/chan/chan_private.h"
#include "xkernel/console.h"
#include "xkernel/own_code/own_code.h"

#if XK_FAST_TABLE

struct chan_fast_entry chan_fast_table[CHAN_FAST_ENTRIES];
struct chan_fast_counts chan_fast_counts;

static struct chan_fast_entry *entry_of(const struct xobj *s)
{
	return chan_fast_entry(((const struct chan_end *)s->state)->channel);
}

#if XK_FAST_OWN
/* Once in a channel's life. When the channel begins anew its constants may be others, and a call
 * that has not returned may be in its code. */
static void own_code(struct xobj *s, struct chan_fast_entry *entry, struct chan_fast *f)
{
	uintptr_t code[OWN_CODE_FUNCTIONS];

	if (f->slot) {
		chan_fast_counts.again++;
		return;
	}
	f->slot = own_code_open(s, code);
	if (!f->slot)
		return;
	f->own = 1;
	entry->up = (chan_fast_up)code[0];
	f->down = (chan_fast_down)code[1];
}

static void end_own_code(const struct xobj *s, struct chan_fast *f)
{
	if (XK_CHECKS && f->own)
		own_code_check(s, f->slot);
	f->own = 0;
}

/* Not before: an upcall that has not returned is called by this code. */
void chan_fast_freed(struct xobj *s)
{
	const struct chan_end *e = s->state;

	if (!e->fast.slot)
		return;
	if (XK_CHECKS && (entry_of(s)->session == s || e->fast.own))
		console_fail("chan", "code of a channel that is gone can still be called");
	own_code_close(e->fast.slot);
}
#else
static void own_code(struct xobj *s, struct chan_fast_entry *entry, struct chan_fast *f)
{
}

static void end_own_code(const struct xobj *s, struct chan_fast *f)
{
}
#endif

void chan_fast_enter(struct xobj *s, chan_fast_up up, chan_fast_down down)
{
	struct chan_fast *f = &((struct chan_end *)s->state)->fast;
	struct chan_fast_entry *entry = entry_of(s);

	f->down = down;
	if (entry->session) {
		chan_fast_counts.no_entry++;
		return;
	}
	entry->up = up;
	own_code(s, entry, f);
	entry->session = s;
}

void chan_fast_leave(struct xobj *s)
{
	struct chan_fast_entry *entry = entry_of(s);

	if (entry->session == s)
		entry->session = NULL;
	end_own_code(s, &((struct chan_end *)s->state)->fast);
}

#endif
