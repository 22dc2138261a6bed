/* SPDX-License-Identifier: BSD-2-Clause */
/* Everything of the runtime's headers, printed: a host's C library must print the same. */
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void formats(void)
{
	char small[8];

	printf("[%d] [%i] [%5d] [%-5d] [%05d] [%+d] [% d]\n", -7, 7, 42, 42, 42, 42, 42);
	printf("[%u] [%x] [%X] [%08x] [%o] [%-8x|\n", 3000000000u, 0xbeefu, 0xbeefu, 0xbeefu, 8u,
	       255u);
	printf("[%ld] [%lu] [%lx] [%lld]\n", LONG_MIN, ULONG_MAX, 0x123456789abcdefUL,
	       (long long)LONG_MAX);
	printf("[%hd] [%hhd] [%hu] [%hhu]\n", (short)-3, (signed char)-4, (unsigned short)70000,
	       (unsigned char)300);
	printf("[%zu] [%td] [%jd]\n", sizeof(int), (ptrdiff_t)-5, (intmax_t)-6);
	printf("[%s] [%8s] [%-8s] [%.2s] [%8.3s]\n", "text", "text", "text", "text", "text");
	printf("[%c] [%3c] [%%] [%*d] [%-*d] [%.*s]\n", 'x', 'y', 6, 12, 6, 12, 2, "abc");
	printf("[%.4d] [%8.4d] [%-8.4d] [%08.4d] [%.0d]\n", 42, 42, 42, 42, 0);
	printf("%d ", snprintf(small, sizeof small, "%s", "123456789"));
	printf("%d %d\n", small[6], small[7]);
	printf("[%s] %d\n", small, snprintf(NULL, 0, "%05d", 1234567));
	printf("%d\n", printf("counted\n"));
	puts("a line");
	putchar('p');
	putchar('\n');
}

static void strings(void)
{
	char a[64] = "abcdefghijklmnopqrstuvwxyz", b[64];
	int n, m;

	for (n = 0; n < 9; n++)
		for (m = 0; m < 20; m++) {
			memset(b, '.', sizeof b);
			b[sizeof b - 1] = 0;
			memcpy(b + n, a + 9 - n, (size_t)m);
			memmove(b + n + 3, b + n, (size_t)m);
			memmove(b + 1, b + n, (size_t)m);
			memset(b + 40 + n, '#', (size_t)m / 2);
			puts(b);
		}
	printf("%d %d %d\n", strcmp("a", "b") < 0, strcmp("b", "a") > 0, strcmp("ab", "ab"));
	printf("%d %d\n", strncmp("abc", "abd", 2), memcmp("abc", "abd", 3) < 0);
	printf("%s %s %s\n", strchr("hello", 'l'), strrchr("hello", 'l'), strstr("hello", "lo"));
	printf("%d %d %zu\n", strchr("a", 'b') == NULL, strstr("a", "b") == NULL, strlen("four"));
	printf("%s\n", strcat(strcpy(b, "one "), "two"));
	printf("%s\n", strncpy(b, "three", 3));
	printf("%s\n", (char *)memchr("hello", 'l', 5));
	for (n = 0; n < 128; n++)
		printf("%d%d%d%d%d%d%c%c", !!isdigit(n), !!isalpha(n), !!isupper(n), !!islower(n),
		       !!isalnum(n), !!isspace(n), isalpha(n) ? tolower(n) : '-',
		       isalpha(n) ? toupper(n) : '-');
	putchar('\n');
}

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Objects of many sizes, some of which are given back: each keeps what was written into it. */
static void heap(void)
{
	enum { OBJECTS = 200, TURNS = 3000 };
	unsigned char *objects[OBJECTS] = { 0 };
	size_t bytes[OBJECTS] = { 0 }, i;
	unsigned state = 1, n, at;

	for (n = 0; n < TURNS; n++) {
		state = state * 1103515245 + 12345;
		at = (state >> 16) % OBJECTS;
		for (i = 0; i < bytes[at]; i++)
			assert(objects[at][i] == (unsigned char)at);
		if (state >> 30 == 0) {
			free(objects[at]);
			objects[at] = NULL;
			bytes[at] = 0;
			continue;
		}
		bytes[at] = (state >> 8) % 500;
		objects[at] = realloc(objects[at], bytes[at] ? bytes[at] : 1);
		assert(objects[at] && (uintptr_t)objects[at] % 16 == 0);
		memset(objects[at], (int)at, bytes[at]);
	}
	for (n = 0; n < OBJECTS; n++)
		free(objects[n]);
	objects[0] = calloc(100, 7);
	for (i = 0; i < 700; i++)
		assert(!objects[0][i]);
	free(objects[0]);
	printf("heap\n");
}

static int numbers[1000];

int main(void)
{
	size_t n;

	formats();
	strings();
	heap();
	printf("%d %ld %d %d\n", abs(-3), labs(-4), atoi(" -17x"), atoi("+8"));
	for (n = 0; n < 1000; n++)
		numbers[n] = (int)(n * 7919 % 1009);
	qsort(numbers, 1000, sizeof numbers[0], by_value);
	for (n = 1; n < 1000; n++)
		assert(numbers[n - 1] < numbers[n]);
	printf("%d %d %d\n", numbers[0], numbers[500], numbers[999]);
	printf("%ld %ld %lu %d %d\n", -1000000007L / 13, -1000000007L % 13, ULONG_MAX / 10,
	       INT_MIN / 7, INT_MIN % 7);
	return 0;
}
