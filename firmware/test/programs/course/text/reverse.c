/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of the standard input, backwards. */
#include <stdio.h>
#include <string.h>
int main(void)
{
	char line[100];
	while (fgets(line, sizeof line, stdin)) {
		size_t n = strcspn(line, "\n");
		for (size_t i = 0; i < n / 2; i++) {
			char c = line[i];
			line[i] = line[n - 1 - i];
			line[n - 1 - i] = c;
		}
		fputs(line, stdout);
	}
	return 0;
}
