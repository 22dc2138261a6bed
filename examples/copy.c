/* SPDX-License-Identifier: BSD-2-Clause */
/* 4 KB are copied by bytes, by quadwords, and by four quadwords at a time. */
#include <assert.h>
#include <mcpi.h>
#include <stdint.h>
#include <string.h>

enum { BYTES = 4096 };

static union {
	unsigned char bytes[BYTES];
	uint64_t quads[BYTES / 8];
} from, to;

__attribute__((noinline)) static void by_bytes(void)
{
	for (int n = 0; n < BYTES; n++) {
		to.bytes[n] = from.bytes[n];
		mcpi_keep(to.bytes); /* or the compiler makes quadwords of them */
	}
}

__attribute__((noinline)) static void by_quads(void)
{
	for (int n = 0; n < BYTES / 8; n++)
		to.quads[n] = from.quads[n];
}

__attribute__((noinline)) static void by_blocks(void)
{
	uint64_t a, b, c, d;

	for (int n = 0; n < BYTES / 8; n += 4) {
		a = from.quads[n];
		b = from.quads[n + 1];
		c = from.quads[n + 2];
		d = from.quads[n + 3];
		to.quads[n] = a;
		to.quads[n + 1] = b;
		to.quads[n + 2] = c;
		to.quads[n + 3] = d;
	}
}

static void check(void)
{
	assert(!memcmp(&from, &to, BYTES));
	memset(&to, 0, BYTES);
}

int main(void)
{
	for (int n = 0; n < BYTES; n++)
		from.bytes[n] = (unsigned char)(n * 7);
	MCPI_MEASURE_AS("by bytes")
	by_bytes();
	check();
	MCPI_MEASURE_AS("by quadwords")
	by_quads();
	check();
	MCPI_MEASURE_AS("by blocks")
	by_blocks();
	check();
	return 0;
}
