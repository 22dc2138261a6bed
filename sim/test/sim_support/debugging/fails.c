/* SPDX-License-Identifier: BSD-2-Clause */
/* Both machines fail: the server first. */
#include <mcpi.h>

int main(void) {
    int other = mcpi_node();

    for (int n = other ? 0 : 10000; n; n--)
        __asm__ volatile("bis $31,$31,$31");
    return other ? 3 : 4;
}
