/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts the free memory of a structure's machine whenever all of its threads wait. */
#include <stdint.h>

__attribute__((weak)) uint32_t mbufs_free(void); /* where bsdnet is */
__attribute__((weak)) uint32_t clusters_free(void);

uint64_t free_buffers[2];

/* The name that machine.c asks for. */
void tcp_invariants(void)
{
	if (!mbufs_free)
		return;
	free_buffers[0] = mbufs_free();
	free_buffers[1] = clusters_free();
}
