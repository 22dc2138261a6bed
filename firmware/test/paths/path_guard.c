/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames in hexadecimal, one a line, to a path's entry (guard.h: what pathunit.py makes of a path's
 * [guard]); answers which way each goes. A line beginning with `-` is refused by the protocols. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "guard.h"
#include "xkernel/path.h"

#define PATH_GENERAL general_demux

static int refuse;

static uint64_t path_id;

int PATH_GENERAL(struct xobj *self, struct xobj *lower, struct msg *m);

static int path_input(struct xobj *self, struct xobj *lower, struct msg *m)
{
	PATH_CHECK(PATH_GENERAL)
	puts("path");
	return XK_OK;
}

GUARD

#include "xkernel/path_entry.h"

int general_demux(struct xobj *, struct xobj *, struct msg *)
{
	puts("general");
	return refuse ? XK_ERROR : XK_OK;
}

/* A driver with a classifier: the id is 3 for frames of the pattern; `full`: it has no entry. */
static struct path_pattern pattern;
static int full;

static int driver_control(struct xobj *, int op, void *buffer, size_t bytes)
{
	if (op != XK_RECOGNISE || bytes != sizeof pattern || full)
		return 0;
	pattern = *(struct path_pattern *)buffer;
	return 3;
}

static void recognise(struct msg *m)
{
	path_quad *words = (path_quad *)(m->head - 2), differs = 0;

	for (uint64_t i = 0; i < pattern.quads; i++)
		differs |= (words[i] ^ pattern.first[i]) & pattern.masks[i] & ~(i ? 0 : 0xfffful);
	words[0] = (words[0] & ~0xfffful) | (pattern.quads && !differs ? 3 : 0);
}

int main(int count, char **arguments)
{
	static const struct xobj_ops driver = { .control = driver_control };
	struct xobj lower = { .ops = &driver };
	static const struct xobj_ops ops = { .demux = path_entry };
	static uint8_t leaf[16 + 1600] __attribute__((aligned(16)));
	struct xobj eth = { .ops = &ops };
	char line[4000];

	full = count > 1 && !strcmp(arguments[1], "full");
	while (fgets(line, sizeof line, stdin)) {
		const char *at = line;
		struct msg m = { .head = leaf + 2, .tail = leaf + 2 };
		unsigned byte;

		memset(leaf, 0, sizeof leaf);

		refuse = *at == '-';
		for (at += refuse; isxdigit((unsigned char)*at) && sscanf(at, "%2x", &byte) == 1;
		     at += 2)
			*m.tail++ = (uint8_t)byte;
		if (LANCE_CLASSIFIER)
			recognise(&m);
		eth.ops->demux(&eth, &lower, &m);
	}
	return 0;
}
