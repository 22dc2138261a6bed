// SPDX-License-Identifier: BSD-2-Clause
// Three calls of the assembly that a reader types into the playground. Its argument is 4 KB of
// numbers, 0, 1, 2 and so on.
#include <mcpi.h>

void typed(long *numbers);

static long numbers[512];

int main(void) {
    for (int i = 0; i < 512; i++)
        numbers[i] = i;
    for (int i = 0; i < 3; i++)
        MCPI_MEASURE_AS("typed") {
            typed(numbers);
        }
    return 0;
}
