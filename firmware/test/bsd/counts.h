/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TEST_BSD_COUNTS_H
#define TEST_BSD_COUNTS_H

void counts_copy(void);
#endif
