/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of every path's C file: which frames take it. Needs path_input, PATH_GENERAL (the
 * function it stands in for), PATH_QUADS, path_opens and path_is_mine of the same file.
 *
 * At first all frames go the general way. One that looks as if it were on the path, and that the
 * protocols have accepted, opens it: from then on all sessions of the path exist. It stays open.
 *
 * A driver with a classifier is asked for an id, which path_input expects of later frames; without
 * one the path stays closed. */

#include "xkernel/path.h"

static path_quad path_first[PATH_QUADS]; /* the frame that opened it */
static struct xobj_ops path_ops;

int PATH_GENERAL(struct xobj *self, struct xobj *lower, struct msg *m);
int path_entry(struct xobj *self, struct xobj *lower, struct msg *m);

static int path_guarded(struct xobj *self, struct xobj *lower, struct msg *m)
{
	if (PREDICT_TRUE(path_is_mine(path_words(m), path_first)))
		return path_input(self, lower, m);
	return PATH_GENERAL(self, lower, m);
}

int path_entry(struct xobj *self, struct xobj *lower, struct msg *m)
{
	path_quad first[PATH_QUADS];
	int may_open = msg_front_bytes(m) >= sizeof first - 2, result;

	if (may_open) {
		for (int i = 0; i < PATH_QUADS; i++)
			first[i] = path_words(m)[i];
		may_open = path_opens(first);
	}
	result = PATH_GENERAL(self, lower, m);
	if (!may_open || result != XK_OK)
		return result;
	for (int i = 0; i < PATH_QUADS; i++)
		path_first[i] = first[i];
	path_ops = *self->ops;
	path_ops.demux = PIN_GUARD ? path_guarded : path_input;
	if (PATH_IDS) {
		static const path_quad masks[] = PATH_MASKS;

		path_id = path_id_ask(lower, path_first, masks, PATH_QUADS);
		if (path_id == PATH_NO_ID)
			return result;
	}
	self->ops = &path_ops;
	return result;
}
