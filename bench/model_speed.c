/* SPDX-License-Identifier: BSD-2-Clause */
/* What model_speed.py runs on the instruction-set model: checksum, copy, sort, list and hash, as
 * protocol code would, over and over. Exit code 0, or 1 if the sort is not sorted. */
#include <stdint.h>

#define WORDS 2048
#define ROUNDS 150

static uint64_t stack[512], a[WORDS], b[WORDS];
static struct node {
    struct node *next;
    uint64_t value;
} nodes[WORDS];

__asm__(".text\n.globl _start\n_start:\n\tbr $27, 1f\n1:\tldgp $29, 0($27)\n"
        "\tlda $30, stack+4000\n\tlda $27, work\n\tjsr $26, ($27)\n\tldgp $29, 0($26)\n"
        "\tmov $0, $17\n\tlda $16, 2($31)\n\tcall_pal 9\n");

static uint32_t checksum(const uint8_t *p, int bytes) {
    uint32_t sum = 0;

    for (int i = 0; i + 1 < bytes; i += 2)
        sum += p[i] | p[i + 1] << 8;
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return sum;
}

static void shell_sort(uint64_t *v, int n) {
    for (int gap = n / 2; gap; gap /= 2)
        for (int i = gap; i < n; i++) {
            uint64_t x = v[i];
            int j = i;

            for (; j >= gap && v[j - gap] > x; j -= gap)
                v[j] = v[j - gap];
            v[j] = x;
        }
}

int work(void) {
    uint64_t seed = 1996, total = 0;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < WORDS; i++) {
            seed = seed * 6364136223846793005 + 1442695040888963407;
            a[i] = seed >> 11;
            nodes[i].next = &nodes[(i * 37 + round) % WORDS];
            nodes[i].value = seed & 0xff;
        }
        for (int i = 0; i < WORDS * 8; i++)
            ((uint8_t *)b)[i] = ((uint8_t *)a)[i] ^ (uint8_t)i;
        total += checksum((uint8_t *)b, sizeof b);
        shell_sort(a, WORDS);
        for (int i = 1; i < WORDS; i++)
            if (a[i - 1] > a[i])
                return 1;
        struct node *at = nodes;
        for (int i = 0; i < WORDS; i++, at = at->next)
            total += at->value;
    }
    return total == 0;
}
