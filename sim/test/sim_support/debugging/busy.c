/* SPDX-License-Identifier: BSD-2-Clause */
/* A function that is called every few ticks, on both machines: at first in the same ticks, later 3
 * or 4 ticks apart. */
#include <mcpi.h>

static volatile int sum;

__attribute__((noinline)) void work(int n) {
    sum += n;
}

int main(void) {
    int other = mcpi_node();

    for (int n = 0; n < 1000; n++) {
        for (int more = n == 5 ? other : 0; more; more--)
            __asm__ volatile("bis $31,$31,$31");
        work(n);
    }
    return 0;
}
