/* SPDX-License-Identifier: BSD-2-Clause */
/* The cloner's table (cloning.md). mcpi/firmware/clone/table.py writes it after the link.
 * Addresses are offsets from the image's first byte. */
#pragma once

#define CLONE_MAGIC 0x6e6f6c63 /* 'clon' */
#define CLONE_TABLE_BYTES 32768
#define CLONE_WORDS 4096 /* of one function at most */

#ifndef __ASSEMBLER__
#include <stdint.h>

struct clone_header {
	uint32_t magic;
	uint32_t words;	 /* of all that follows this header */
	uint32_t sum;	 /* of those words */
	uint32_t gp;	 /* the one gp */
	uint32_t copies; /* struct clone_copy, by source address */
	uint32_t edits;	 /* struct clone_fix of copied words, by address */
	uint32_t fixes;	 /* struct clone_fix of words in their place */
};

/* The main line of one function. */
struct clone_copy {
	uint32_t source, words;
	uint32_t target;
	uint32_t sum;	/* of the words at source, before anything is changed */
	uint32_t first; /* of its edits */
	uint32_t edits; /* how many */
};

enum clone_kind {
	/* Fixes of copied words. */
	FIX_DROP = 1, /* leave it out */
	FIX_UNOP,     /* put a no-op there */
	FIX_CALL,     /* jsr becomes bsr to `to` (old address) */
	FIX_GP,	      /* ldah; gp from this address; its lda is `distance` behind it */
	/* Fixes of words in their place. */
	FIX_ADDRESS, /* ldah; its lda is `distance` behind it; they make `to` (old address) */
	FIX_BRANCH,  /* a branch to `to` (old address) */
	FIX_POINTER, /* a quad that holds the (old) address `to` */
};

struct clone_fix {
	uint16_t kind;
	int16_t distance; /* in bytes */
	uint32_t at;
	uint32_t to;
};
#endif
