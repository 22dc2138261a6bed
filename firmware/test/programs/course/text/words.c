/* SPDX-License-Identifier: BSD-2-Clause */
/* Words, lines and letters of the standard input. */
#include <ctype.h>
#include <stdio.h>
int main(void)
{
	int c, lines = 0, words = 0, letters = 0, in = 0;
	while ((c = getchar()) != EOF) {
		letters++;
		lines += c == '\n';
		if (isspace(c))
			in = 0;
		else if (!in) {
			in = 1;
			words++;
		}
	}
	printf("%d %d %d\n", lines, words, letters);
	return 0;
}
