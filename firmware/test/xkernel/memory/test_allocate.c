/* SPDX-License-Identifier: BSD-2-Clause */
/* The Alpha's own heap and memory functions, run on the host (in a program of their own). */
#include <stdint.h>
#include <string.h>

#include "test/host/case.h"
#include "xkernel/memory/allocate.h"

void *kernel_memcpy(void *, const void *, size_t);
void *kernel_memmove(void *, const void *, size_t);
void *kernel_memset(void *, int, size_t);
int kernel_memcmp(const void *, const void *, size_t);

static void heap(void)
{
	static void *blocks[4096];
	size_t n = 0;
	void *a, *b;

	CHECK(!xk_allocate(SIZE_MAX));
	CHECK(!xk_allocate((size_t)1 << 20));
	for (size_t bytes = 0; bytes < 5000; bytes += 37) {
		a = xk_allocate(bytes);
		CHECK(a && ((uintptr_t)a & 15) == 0);
		memset(a, 0xff, bytes);
		xk_free(a);
		b = xk_allocate(bytes);
		CHECK(a == b); /* last in, first out */
		xk_free(b);
		xk_free(b); /* twice is once */
	}
	a = xk_allocate_zeroed(4000);
	for (int i = 0; i < 4000; i++)
		CHECK_EQUAL(((uint8_t *)a)[i], 0);
	while (n < 4096 && (blocks[n] = xk_allocate(2000)))
		n++;
	CHECK(n > 1000 && n < 4096); /* it ends, and says so */
	for (size_t i = 0; i < n; i++)
		memset(blocks[i], (int)i, 2000);
	for (size_t i = 0; i < n; i++) {
		CHECK_EQUAL(((uint8_t *)blocks[i])[1999], i & 0xff);
		xk_free(blocks[i]);
	}
	for (size_t i = 0; i < n; i++)
		CHECK(xk_allocate(2000) != NULL);
	CHECK(xk_allocate(2000) == NULL);
	xk_free(NULL);
}

static void memory(void)
{
	static uint8_t from[128], to[128], want[128];

	for (int i = 0; i < 128; i++)
		from[i] = (uint8_t)(i * 3 + 1);
	for (size_t f = 0; f < 9; f++)
		for (size_t t = 0; t < 9; t++)
			for (size_t n = 0; n < 60; n++) {
				memset(to, 9, sizeof to);
				memset(want, 9, sizeof want);
				memcpy(want + t, from + f, n);
				CHECK(kernel_memcpy(to + t, from + f, n) == to + t);
				CHECK(!memcmp(to, want, sizeof to));
				memset(want + t, 0x5a, n);
				kernel_memset(to + t, 0x15a, n);
				CHECK(!memcmp(to, want, sizeof to));
				memcpy(to, from, sizeof to);
				memcpy(want, from, sizeof want);
				memmove(want + t, want + f, n);
				kernel_memmove(to + t, to + f, n);
				CHECK(!memcmp(to, want, sizeof to));
			}
	CHECK(kernel_memcmp("abc", "abd", 3) < 0);
	CHECK(kernel_memcmp("ab\xff", "abc", 3) > 0);
	CHECK_EQUAL(kernel_memcmp("abc", "abd", 2), 0);
}

int main(void)
{
	heap();
	memory();
	return 0;
}
