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

static int path_input(struct xobj *, struct xobj *, struct msg *)
{
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

int main(void)
{
	static const struct xobj_ops ops = { .demux = path_entry };
	static uint8_t leaf[16 + 1600] __attribute__((aligned(16)));
	struct xobj eth = { .ops = &ops };
	char line[4000];

	while (fgets(line, sizeof line, stdin)) {
		const char *at = line;
		struct msg m = { .head = leaf + 2, .tail = leaf + 2 };
		unsigned byte;

		refuse = *at == '-';
		for (at += refuse; isxdigit((unsigned char)*at) && sscanf(at, "%2x", &byte) == 1;
		     at += 2)
			*m.tail++ = (uint8_t)byte;
		eth.ops->demux(&eth, NULL, &m);
	}
	return 0;
}
