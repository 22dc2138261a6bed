/* SPDX-License-Identifier: BSD-2-Clause */
/* A cipher, there and back. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
static void shift(char *text, int by)
{
	for (; *text; text++)
		if (isalpha((unsigned char)*text)) {
			int base = isupper((unsigned char)*text) ? 'A' : 'a';
			*text = (char)(base + (*text - base + by + 26) % 26);
		}
}
int main(void)
{
	char text[] = "Attack at Dawn, Zebra!";
	shift(text, 3);
	puts(text);
	shift(text, -3);
	puts(text);
	printf("%d %s %s\n", strcmp(text, "Attack") > 0, strchr(text, 'D'), strstr(text, "Zeb"));
	return 0;
}
