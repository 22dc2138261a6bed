/* SPDX-License-Identifier: BSD-2-Clause */
/* Words of a file with the same letters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int letters(const void *a, const void *b)
{
	return *(const char *)a - *(const char *)b;
}
int main(int argc, char **argv)
{
	FILE *f = fopen(argc > 1 ? argv[1] : "words.txt", "r");
	char word[40], words[40][2][40];
	int n = 0;
	if (!f) {
		perror("words");
		return 1;
	}
	while (n < 40 && fscanf(f, "%39s", word) == 1) {
		strcpy(words[n][0], word);
		qsort(word, strlen(word), 1, letters);
		strcpy(words[n++][1], word);
	}
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++)
			if (!strcmp(words[i][1], words[j][1]))
				printf("%s %s\n", words[i][0], words[j][0]);
	fclose(f);
	return 0;
}
