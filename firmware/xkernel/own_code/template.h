/* SPDX-License-Identifier: BSD-2-Clause */
/* The template of code of a session's own; mcpi/firmware/clone/template.py writes it after the
 * link. Addresses are offsets from the image's first byte, patches are at words of the template. */
#pragma once

#define OWN_CODE_MAGIC 0x65646f63 /* 'code' */
#define OWN_CODE_TEMPLATE_BYTES 8192
#define OWN_CODE_FUNCTIONS 2 /* the way up, the way down */
#define OWN_CODE_STEPS 4
#ifndef OWN_CODE_SLOTS
#define OWN_CODE_SLOTS 64 /* fewer in a test */
#endif

#ifndef __ASSEMBLER__
#include <stdint.h>

struct own_code_header {
	uint32_t magic;
	uint32_t gp;	     /* the one gp */
	uint32_t slots;	     /* where the first slot begins */
	uint32_t slot_bytes; /* of one, whole cache blocks */
	uint32_t words;	     /* of the template, behind this header: an even number */
	uint32_t patches;    /* struct own_code_patch, behind the words */
	uint32_t entry[OWN_CODE_FUNCTIONS];
};

enum own_code_kind {
	OWN_PATCH_ADDRESS = 1, /* ldah from gp, lda: the constant, and `value` more */
	OWN_PATCH_SMALL,       /* lda from $31: the constant longword at `value` */
	OWN_PATCH_CALL,	       /* bsr to the function that the constant is the address of */
	OWN_PATCH_BRANCH,      /* branch to `value`, no constant of the session's */
	OWN_PATCH_NOT_ZERO,    /* no word: the quadword at `value` is not 0 */
	OWN_PATCH_INSIDE,      /* no word: the constant is the session's address and `value` more */
};

/* A constant: the session's address, then `steps` loads of quadwords at these offsets. */
struct own_code_patch {
	uint16_t kind, steps;
	uint16_t at, low; /* words of the ldah and of the lda; of the only one */
	uint16_t offset[OWN_CODE_STEPS];
	int32_t value;
};
#endif
