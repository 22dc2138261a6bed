/* SPDX-License-Identifier: BSD-2-Clause */
/* Constants of math.h's functions, cut off at their last bit: computed from Machin's formula for
 * pi, series of atanh for logarithms, whole numbers for all else. */
#include "runtime/math/constants.h"
#include "runtime/math/extended.h"

const struct extended x_ln2 = { 0xb17217f7d1cf79abUL, -1, 0 };
const struct extended x_half_pi = { 0xc90fdaa22168c234UL, 0, 0 };
const struct extended x_one = { 1UL << 63, 0, 0 };
const struct extended x_log2e = { 0xb8aa3b295c17f0bbUL, 0, 0 };
const struct extended x_log10e = { 0xde5bd8a937287195UL, -2, 0 };

const uint64_t long_ln2[2] = { 0xb17217f7d1cf79abUL, 0xc9e3b39803f2f6afUL };

const uint64_t inverse_factorial[] = {
	0x8000000000000000UL, 0x8000000000000000UL, 0x4000000000000000UL, 0x1555555555555555UL,
	0x0555555555555555UL, 0x0111111111111111UL, 0x002d82d82d82d82dUL, 0x0006806806806806UL,
	0x0000d00d00d00d00UL, 0x0000171de3a556c7UL, 0x0000024fc9f6ef13UL, 0x00000035cc8acfeaUL,
	0x000000047bb63bfeUL, 0x000000005849184eUL, 0x00000000064e5d2aUL, 0x00000000006b9fcfUL,
	0x000000000006b9fcUL, 0x000000000000654bUL, 0x00000000000005a0UL, 0x000000000000004bUL,
	0x0000000000000003UL, 0x0000000000000000UL,
};

const uint64_t inverse_odd[] = {
	0x8000000000000000UL, 0x2aaaaaaaaaaaaaaaUL, 0x1999999999999999UL, 0x1249249249249249UL,
	0x0e38e38e38e38e38UL, 0x0ba2e8ba2e8ba2e8UL, 0x09d89d89d89d89d8UL, 0x0888888888888888UL,
	0x0787878787878787UL, 0x06bca1af286bca1aUL, 0x0618618618618618UL, 0x0590b21642c8590bUL,
	0x051eb851eb851eb8UL, 0x04bda12f684bda12UL, 0x0469ee58469ee584UL, 0x0421084210842108UL,
};

const uint64_t atan_of_eighths[] = {
	0x0000000000000000UL, 0x1fd5ba9aac2f6dc6UL, 0x3eb6ebf25901bac5UL,
	0x5bd86507937bc239UL, 0x76b19c1586ed3da2UL, 0x8f005d5ef7f59f9bUL,
	0xa4bc7d1934f70924UL, 0xb8053e2bc2319e73UL, 0xc90fdaa22168c234UL,
};

const uint64_t two_over_pi[] = {
	0xa2f9836e4e441529UL, 0xfc2757d1f534ddc0UL, 0xdb6295993c439041UL, 0xfe5163abdebbc561UL,
	0xb7246e3a424dd2e0UL, 0x06492eea09d1921cUL, 0xfe1deb1cb129a73eUL, 0xe88235f52ebb4484UL,
	0xe99c7026b45f7e41UL, 0x3991d639835339f4UL, 0x9c845f8bbdf9283bUL, 0x1ff897ffde05980fUL,
	0xef2f118b5a0a6d1fUL, 0x6d367ecf27cb09b7UL, 0x4f463f669e5fea2dUL, 0x7527bac7ebe5f17bUL,
	0x3d0739f78a5292eaUL, 0x6bfb5fb11f8d5d08UL, 0x56033046fc7b6babUL, 0xf0cfbc209af4361dUL,
	0xa9e391615ee61b08UL, 0x6599855f14a06840UL,
};
