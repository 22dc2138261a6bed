/* SPDX-License-Identifier: BSD-2-Clause */
/* Four processors add to one word, at first all at once; then processor 0 stores to blocks of its
 * own while the others add. At last two processors write a half of one quadword each, without a
 * conditional store. */
#include "xkernel/atomic/word.h"
#include "xkernel/percpu/percpu.h"

enum { CORES = 4, TIMES = 12, OWN = 4, STORES = 800 };

extern uint64_t processors_released; /* start.S */
void processor_main(uint64_t number);

static struct {
    uint64_t sum;
    volatile uint32_t half[2];
} shared __attribute__((aligned(128)));
static volatile struct { uint64_t word; } __attribute__((aligned(128))) own[OWN];
static uint64_t arrived __attribute__((aligned(128)));

static void arrive(uint64_t all) {
    atomic_add(&arrived, 1);
    barrier_drain();
    while (atomic_look(&arrived) < all)
        ;
    barrier_acquire();
}

void processor_main(uint64_t number) {
    percpu_start(number);
    arrive(CORES);
    for (int n = 0; n < TIMES; n++)
        atomic_add(&shared.sum, 1);
    arrive(2 * CORES);
    for (uint64_t n = 0; n < STORES && number == 0; n++)
        own[n < STORES / 2 ? n % OWN : 0].word = n;
    for (int n = 0; n < TIMES; n++)
        atomic_add(&shared.sum, 1);
    arrive(3 * CORES);
    for (uint32_t n = 1; n <= TIMES && number < 2; n++)
        shared.half[number] = n;
    arrive(4 * CORES);
}

int main(void) {
    barrier_release();
    processors_released = 1;
    barrier_drain();
    processor_main(0);
    return shared.sum != 2 * CORES * TIMES;
}
