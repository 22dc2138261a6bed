/* SPDX-License-Identifier: BSD-2-Clause */
/* The model behind the functions of lance/lance.h, for tests that ask model and RTL the same.
 *
 * There are all of that header's but the segment's, lance_rose and lance_watch_dma. Times are those
 * of the wire and of the polls; what the chip does itself takes none. */
#pragma once
#include "lib/lance/lance.h"

#ifdef __cplusplus
extern "C" {
#endif

/* lance_new makes an Am7990; this either chip. */
lance *lance_model_new(const lance_config *config, uint8_t *memory, size_t size, int c_lance);

#ifdef __cplusplus
}
#endif
