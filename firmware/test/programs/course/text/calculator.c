/* SPDX-License-Identifier: BSD-2-Clause */
/* A calculator: numbers and signs of the standard input, backwards Polish. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	double stack[20];
	int n = 0;
	char word[40];
	while (scanf("%39s", word) == 1) {
		char *end;
		double v = strtod(word, &end);
		if (end != word) {
			stack[n++] = v;
			continue;
		}
		if (n < 2) {
			printf("%s wants two\n", word);
			continue;
		}
		double b = stack[--n], a = stack[--n];
		stack[n++] = *word == '+'   ? a + b
			     : *word == '-' ? a - b
			     : *word == '*' ? a * b
			     : *word == '/' ? a / b
					    : pow(a, b);
	}
	while (n)
		printf("%.15g\n", stack[--n]);
	return 0;
}
