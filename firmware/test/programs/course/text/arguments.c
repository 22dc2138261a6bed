/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments of main. */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	long sum = 0;
	for (int i = 1; i < argc; i++) {
		char *end;
		long v = strtol(argv[i], &end, 0);
		printf("%s is %ld%s\n", argv[i], v, *end ? " and more" : "");
		sum += v;
	}
	printf("%d %ld\n", argc, sum);
	return argv[argc] != NULL;
}
