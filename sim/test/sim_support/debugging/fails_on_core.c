/* SPDX-License-Identifier: BSD-2-Clause */
/* The third of several processors ends the program. */
#include <assert.h>
#include <mcpi_cores.h>

static void all(void *none) {
    assert(mcpi_core() != 2 || none);
}

int main(void) {
    mcpi_on_all_cores(all, 0);
}
