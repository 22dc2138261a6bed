/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations of C in a program in C++: names as C has them, and C's words. */
#pragma once

#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#define restrict __restrict
#define _Noreturn [[noreturn]]
#define _Static_assert static_assert
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif
