/* SPDX-License-Identifier: BSD-2-Clause */
/* A list that is turned round. */
#include <stdio.h>
#include <stdlib.h>
struct node {
	int value;
	struct node *next;
};
int main(void)
{
	struct node *list = NULL, *turned = NULL;
	for (int i = 0; i < 10; i++) {
		struct node *n = malloc(sizeof *n);
		n->value = i * i;
		n->next = list;
		list = n;
	}
	while (list) {
		struct node *n = list;
		list = n->next;
		n->next = turned;
		turned = n;
	}
	for (struct node *n = turned; n;) {
		struct node *next = n->next;
		printf("%d ", n->value);
		free(n);
		n = next;
	}
	puts("");
	return 0;
}
