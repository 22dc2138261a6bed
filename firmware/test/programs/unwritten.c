/* SPDX-License-Identifier: BSD-2-Clause */
/* Uses of memory that nobody has written, one for each number that is the argument; 0: only what is
 * right. The tests look for the lines with `made` and `used` behind a number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	int value;
	struct node *next;
};

struct calls {
	int (*one)(void), (*two)(void);
};

struct pair {
	int a, b;
};

struct flags {
	unsigned a : 3, b : 5, c : 9;
};

struct padded {
	char c;
	long l;
	short s;
};

static int table[16] = { 1, 2, 3 };
static struct pair kept;
static double reals[3];

static int zero(void)
{
	return 0;
}

static int sum_of_too_many(void)
{
	int *a = malloc(40), sum = 0; /* 1 made */

	for (int i = 0; i < 9; i++)
		a[i] = i;
	for (int i = 0; i < 10; i++)
		sum += a[i];
	return sum > 5 ? puts("") < 0 : 0; /* 1 used */
}

static int half_an_array(void)
{ /* 2 made */
	int a[8];

	for (int i = 0; i < 8; i += 2)
		a[i] = i;
	__asm__ volatile("" : : "r"(a) : "memory");
	printf("%d\n", a[3]); /* 2 used */
	return 0;
}

static int freed_node(void)
{
	struct node *one = malloc(sizeof *one); /* 3 made */

	*one = (struct node){ 1, NULL };
	for (struct node *n = one; n; n = n->next) /* 3 used */
		free(n);
	return 0;
}

static int letter(void)
{
	char *text = malloc(4); /* 4 made */

	text[0] = 'a';
	putchar(text[0]);
	putchar(text[2]); /* 4 used */
	return 0;
}

static int indexed(void)
{
	int *volatile at = malloc(sizeof *at); /* 5 made */

	return table[*at & 15] == 9; /* 5 used */
}

static int called(void)
{
	struct calls *c = calloc(1, 16);

	c = realloc(c, 32); /* 6 made */
	c[1].one = zero;
	return c[1].one() + c[1].two(); /* 6 used */
}

static int copied(void)
{
	struct pair *p = malloc(8); /* 7 made */

	p->a = 1;
	memcpy(&kept, p, 8);
	return kept.b == 5;
}

static int without_end(void)
{
	char *text = malloc(16); /* 8 made */

	strncpy(text, "four", 4);
	printf("%zu\n", strlen(text)); /* 8 used */
	return 0;
}

static int added(void)
{
	double *d = malloc(16), sum; /* 9 made */

	d[0] = 1.5;
	sum = d[0] + d[1];
	if (sum > 2.0) /* 9 used */
		puts("large");
	return 0;
}

__attribute__((noinline)) static volatile int *inside(void)
{
	volatile int a[4];
	volatile int *volatile p = a;

	a[1] = 7;
	return p;
}

static int ended(void)
{
	volatile int *p = inside();

	return p[1] == 9;
}

static int grown(void)
{
	char *text = malloc(8);

	memset(text, 1, 8);
	text = realloc(text, 64); /* 11 made */
	if (text[7] != 1)
		return 1;
	return text[40] ? 0 : puts("") < 0; /* 11 used */
}

static int outside(void)
{
	int *volatile a = malloc(8);

	a[0] = a[1] = 1;
	return a[100] ? 0 : puts("") < 0; /* 12 used */
}

/* A header of malloc's was there. */
static int between(void)
{
	long *one = malloc(16), *two = malloc(16), *both;

	free(one);
	free(two);
	both = malloc(48); /* 13 made */
	if (both[2] == 7)  /* 13 used */
		puts("seven");
	return 0;
}

static int right(void)
{
	struct flags *f = malloc(sizeof *f);
	struct padded *p = malloc(sizeof *p), q;
	char *text = malloc(64), *moved = malloc(64);
	double *d = malloc(3 * sizeof *d);
	float *r = malloc(8), other[2];
	short *s = malloc(40);
	int *volatile never = malloc(8), copy;

	f->a = 5, f->c = 300;
	if (f->a == 5 && f->c > 200)
		puts("flags");
	p->c = 'x', p->l = 3, p->s = 4;
	q = *p;
	if (q.c == 'x' && q.l + q.s == 7)
		puts("padded");
	for (int i = 0; i < 13; i++)
		text[3 + i] = (char)('a' + i);
	text[16] = 0;
	memcpy(moved + 1, text, 20);
	printf("%s %zu %d\n", moved + 4, strlen(text + 3), strcmp(text + 3, moved + 4));
	d[0] = 1, d[1] = 2;
	memcpy(reals, d, sizeof reals);
	reals[2] = reals[0] + reals[1];
	other[0] = r[0], other[1] = r[1]; /* copied, not used */
	__asm__ volatile("" : : "r"(other) : "memory");
	printf("%g\n", reals[2]);
	for (int i = 0; i < 20; i += 2)
		s[i] = (short)i;
	copy = never[1];
	printf("%d %d\n", s[4], (copy & 0) + 1);
	memset(never, 0, 8);
	printf("%d\n", never[1]);
	free(text), free(moved);
	return 0;
}

static int (*const all[])(void) = {
	right,	sum_of_too_many, half_an_array, freed_node, letter, indexed, called,
	copied, without_end,	 added,		ended,	    grown,  outside, between,
};

int main(int argc, char **argv)
{
	return argc == 2 ? all[atoi(argv[1])]() : -1;
}
