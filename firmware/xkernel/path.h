/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of the uniform interface when the callee is known: what tools/mcpi/firmware/path_inline.py
 * puts in the place of upi.h's in a path's functions. Each does what its namesake there does. */
#pragma once

#include "xkernel/path_id.h"

#ifndef PIN_GUARD
#define PIN_GUARD 0 /* 1: every frame is classified; 0, as the paper: all are the path's */
#endif
#ifndef PIN_GUARD_INSIDE
#define PIN_GUARD_INSIDE 0 /* 1: classified in the path's input itself, which can be cloned */
#endif

#define NOINLINE __attribute__((noinline)) /* a static function that is not on the path */

#define PATH_xPush(name, push)                                                                     \
	static inline int name(struct xobj *session, struct msg *m)                                \
	{                                                                                          \
		return push(session, m);                                                           \
	}

#define PATH_xDemux(name, demux)                                                                   \
	static inline int name(struct xobj *session, struct msg *m)                                \
	{                                                                                          \
		return demux(session->up, session, m);                                             \
	}

#define PATH_xCallDemux(name, call_demux)                                                          \
	static inline int name(struct xobj *session, struct msg *m, struct msg *reply)             \
	{                                                                                          \
		return call_demux(session->up, session, m, reply);                                 \
	}

#define PATH_xCall(name, call)                                                                     \
	static inline int name(struct xobj *session, struct msg *m, struct msg *reply)             \
	{                                                                                          \
		int result;                                                                        \
                                                                                                   \
		ref_up(&session->refs);                                                            \
		result = call(session, m, reply);                                                  \
		xClose(session);                                                                   \
		return result;                                                                     \
	}

#define PATH_xPop(name, pop)                                                                       \
	static inline int name(struct xobj *session, struct xobj *lower, struct msg *m,            \
			       void *header)                                                       \
	{                                                                                          \
		int result;                                                                        \
                                                                                                   \
		ref_up(&session->refs);                                                            \
		result = pop(session, lower, m, header);                                           \
		xClose(session);                                                                   \
		return result;                                                                     \
	}

#define PATH_xCallPop(name, call_pop)                                                              \
	static inline int name(struct xobj *session, struct xobj *lower, struct msg *m,            \
			       void *header, struct msg *reply)                                    \
	{                                                                                          \
		int result;                                                                        \
                                                                                                   \
		ref_up(&session->refs);                                                            \
		result = call_pop(session, lower, m, header, reply);                               \
		xClose(session);                                                                   \
		return result;                                                                     \
	}

/* A call through a pointer, whose target `general` has a copy `here` in the path. */
#define PATH_THROUGH(pointer, general, here, ...)                                                  \
	(PREDICT_TRUE((pointer) == (general)) ? here(__VA_ARGS__) : (pointer)(__VA_ARGS__))

/* A received frame begins at 2 mod 8: its words, the first with two bytes that are not its own. */
typedef uint64_t __attribute__((may_alias)) path_quad;

static inline const path_quad *path_words(const struct msg *m)
{
	return (const path_quad *)(m->head - 2);
}

/* The path that the driver has recognised the frame to be on. */
static inline uint64_t path_id_of(const struct msg *m)
{
	return path_id_in(path_words(m)[0]);
}

/* First in a path's input: frames that are not on it go the general way. With a classifier those
 * without its id; nothing in the images of the papers. */
#define PATH_IDS (LANCE_CLASSIFIER && !PIN_GUARD && !PIN_GUARD_INSIDE)
#if PIN_GUARD_INSIDE
#define PATH_OFF(m) (!path_is_mine(path_words(m), path_first))
#elif PATH_IDS
#define PATH_OFF(m) (path_id_of(m) != path_id)
#endif
#ifdef PATH_OFF
#define PATH_CHECK(general)                                                                        \
	if (PREDICT_FALSE(PATH_OFF(m)))                                                            \
		return general(self, lower, m);
#else
#define PATH_CHECK(general)
#endif
