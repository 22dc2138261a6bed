/* SPDX-License-Identifier: BSD-2-Clause */
#include "xkernel/checksum.h"

#include "xkernel/byteorder.h"
#include "xkernel/switches.h"

typedef uint16_t __attribute__((may_alias)) half;
typedef uint32_t __attribute__((may_alias)) word;

uint64_t checksum_add(uint64_t sum, const void *data, size_t bytes)
{
	const uint8_t *p = data;

	if (PREDICT_FALSE((uintptr_t)p & 1) && bytes) {
		/* Every byte is in the other half of its word: sum from the next, then swap. */
		uint64_t rest = checksum_add(0, p + 1, bytes - 1);

		return sum + *p + swap16((uint16_t)~checksum_fold(rest));
	}
	if (((uintptr_t)p & 2) && bytes >= 2) {
		sum += *(const half *)p;
		p += 2;
		bytes -= 2;
	}
	/* A taken branch costs several ticks, and 4 KB are many turns. */
	for (; XK_MP && XK_MP_UNROLL && bytes >= 64; bytes -= 64, p += 64) {
		const word *w = (const word *)p;

		sum += (uint64_t)w[0] + w[1] + w[2] + w[3] + w[4] + w[5] + w[6] + w[7] + w[8] +
		       w[9] + w[10] + w[11] + w[12] + w[13] + w[14] + w[15];
	}
	for (; bytes >= 16; bytes -= 16, p += 16) {
		const word *w = (const word *)p;

		sum += (uint64_t)w[0] + w[1] + w[2] + w[3];
	}
	for (; bytes >= 4; bytes -= 4, p += 4)
		sum += *(const word *)p;
	if (bytes & 2) {
		sum += *(const half *)p;
		p += 2;
	}
	if (bytes & 1)
		sum += *p;
	return sum;
}

struct walk {
	uint64_t sum, odd; /* odd: an odd number of bytes has gone before */
};

static int add_piece(const uint8_t *piece, size_t bytes, void *arg)
{
	struct walk *w = arg;

	if (w->odd)
		w->sum += swap16((uint16_t)~checksum_fold(checksum_add(0, piece, bytes)));
	else
		w->sum = checksum_add(w->sum, piece, bytes);
	w->odd ^= bytes & 1;
	return 0;
}

uint64_t checksum_add_msg(uint64_t sum, const struct msg *m)
{
	struct walk w = { sum, 0 };

	if (!m->rest.bytes)
		return checksum_add(sum, m->head, msg_front_bytes(m));
	msg_for_each(m, add_piece, &w);
	return w.sum;
}
