/* SPDX-License-Identifier: BSD-2-Clause */
/* A search tree, printed in order. */
#include <stdio.h>
#include <stdlib.h>
struct node {
	int key;
	struct node *left, *right;
};
static struct node *put(struct node *n, int key)
{
	if (!n) {
		n = calloc(1, sizeof *n);
		n->key = key;
	} else if (key < n->key)
		n->left = put(n->left, key);
	else if (key > n->key)
		n->right = put(n->right, key);
	return n;
}
static int show(const struct node *n)
{
	if (!n)
		return 0;
	int l = show(n->left);
	printf("%d ", n->key);
	int r = show(n->right);
	return 1 + (l > r ? l : r);
}
int main(void)
{
	struct node *root = NULL;
	unsigned x = 7;
	for (int i = 0; i < 40; i++) {
		x = x * 1664525 + 1013904223;
		root = put(root, x >> 24);
	}
	printf("\ndepth %d\n", show(root));
	return 0;
}
