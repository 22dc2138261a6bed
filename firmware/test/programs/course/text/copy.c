/* SPDX-License-Identifier: BSD-2-Clause */
/* A file that is written, read back, and changed in its middle. */
#include <stdio.h>
#include <string.h>
int main(void)
{
	FILE *f = fopen("course.tmp", "w+");
	if (!f) {
		perror("course.tmp");
		return 1;
	}
	for (int i = 0; i < 20; i++)
		fprintf(f, "%d %.3f\n", i, i / 7.0);
	fseek(f, 10, SEEK_SET);
	fputs("XYZ", f);
	rewind(f);
	int a;
	double d;
	char line[40];
	while (fgets(line, sizeof line, f))
		printf("%d:%s", sscanf(line, "%d %lf", &a, &d), line);
	printf("%ld %d %d\n", ftell(f), feof(f) != 0, ferror(f));
	fclose(f);
	remove("course.tmp");
	return fopen("course.tmp", "r") != NULL;
}
