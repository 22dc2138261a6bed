/* SPDX-License-Identifier: BSD-2-Clause */
/* Maps from keys of fixed size to pointers: chained hashing, a power of two of buckets, and a cache
 * of the entry found last.
 *
 * Keys are whole quadwords, because that is what the machine compares: callers pad with zeroes.
 * Non-empty buckets are linked, so that a traversal costs what is in the map and not its size. A
 * bucket that becomes empty stays on that list, marked, until the next traversal passes by. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "xkernel/lock/counting.h"
#include "xkernel/switches.h"

enum { MAP_KEY_WORDS = 3 };

struct map_entry {
	struct map_entry *next;
	void *value;
	uint64_t key[MAP_KEY_WORDS];
	uint64_t number; /* grows with each bind to the map: chains are sorted, newest first */
};

struct map_bucket {
	struct map_entry *first;
	struct map_bucket *next_used; /* list of non-empty buckets */
	uint64_t on_list;	      /* survives emptying, or refilling would link it twice */
};

struct map {
	struct map_entry *cache; /* found last, or NULL */
	struct map_bucket *buckets, *used;
	uint64_t mask, key_words, entries;
	uint64_t walkers;	   /* traversals in progress */
	uint64_t binds;		   /* so far: the newest entry's number */
	struct counting_lock lock; /* of all of it; a visitor may use the map */
};

int map_init(struct map *m, size_t buckets, size_t key_words); /* -1: no memory */
void map_destroy(struct map *m);

void *map_find(struct map *m, const uint64_t *key);	       /* the general look-up */
int map_bind(struct map *m, const uint64_t *key, void *value); /* -1: no memory, or bound */
void *map_unbind(struct map *m, const uint64_t *key);	       /* what was bound, or NULL */

/* Conditional inlining (SIGCOMM'96 2.2.3): with a constant key size only the comparison with the
 * cached entry is expanded here; everything else is a call. */
static inline void *map_resolve(struct map *m, const uint64_t *key, size_t key_words)
{
	const struct map_entry *e;

	if (XK_MP) /* the cached entry too is looked at under the lock */
		return map_find(m, key);
	e = m->cache;
	if (XK_MAPINL && __builtin_constant_p(key_words) && e && e->key[0] == key[0] &&
	    (key_words < 2 || e->key[1] == key[1]) && (key_words < 3 || e->key[2] == key[2]))
		return e->value;
	return map_find(m, key);
}

enum { MAP_CONTINUE = 1, MAP_REMOVE = 2 }; /* what a visitor returns, or-ed */

/* Visits all entries, each once, in no particular order. The visitor may bind and unbind; an entry
 * bound meanwhile may be missed, one unbound is not visited. */
void map_for_each(struct map *m, int (*visit)(const uint64_t *key, void *value, void *arg),
		  void *arg);
