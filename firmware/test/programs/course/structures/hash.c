/* SPDX-License-Identifier: BSD-2-Clause */
/* A hash table with chains. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry {
	char *key;
	int count;
	struct entry *next;
};
static struct entry *table[17];
static struct entry *find(const char *key)
{
	unsigned h = 5381;
	for (const char *p = key; *p; p++)
		h = h * 33 + (unsigned char)*p;
	struct entry **at = &table[h % 17];
	while (*at && strcmp((*at)->key, key))
		at = &(*at)->next;
	if (!*at) {
		*at = calloc(1, sizeof **at);
		(*at)->key = strdup(key);
	}
	return *at;
}
int main(void)
{
	char text[] = "the cat and the dog and the bird sat on the mat";
	for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
		find(w)->count++;
	for (int i = 0; i < 17; i++)
		for (struct entry *e = table[i]; e; e = e->next)
			printf("%d %s=%d\n", i, e->key, e->count);
	return 0;
}
