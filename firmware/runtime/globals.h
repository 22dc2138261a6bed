/* SPDX-License-Identifier: BSD-2-Clause */
/* The globals of a program in C++ (MCPI_CPLUSPLUS, cplusplus/globals.cc): constructed before main,
 * destroyed after it. C has neither. */
#pragma once

#if MCPI_CPLUSPLUS
void mcpi_construct(void);
void mcpi_destroy(void);
#else
static inline void mcpi_construct(void)
{
}

static inline void mcpi_destroy(void)
{
}
#endif
