/* SPDX-License-Identifier: BSD-2-Clause */
/* Between msg.c and msg_tree.c only. */
#pragma once

#include "xkernel/message/msg.h"
#include "xkernel/switches.h"

struct msg_node *msg_leaf_new(size_t room);   /* refs 1; room rounded up to 16 */
void msg_node_release(struct msg_node *node); /* NULL is allowed */

/* The whole message as one view; takes over m's references, m is to be overwritten. -1: no memory,
 * m is unchanged. */
int msg_as_view(struct msg *m, struct msg_view *view);
void msg_copy_front(const struct msg *m, uint8_t *to, size_t bytes);
