/* SPDX-License-Identifier: BSD-2-Clause */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                          \
	((condition) ? (void)0 : mcpi_assert_failed(#condition, __FILE__, __LINE__, __func__))
#endif

#ifndef MCPI_ASSERT_FAILED
#define MCPI_ASSERT_FAILED
#include <sys/cdefs.h>

__BEGIN_DECLS
_Noreturn void mcpi_assert_failed(const char *condition, const char *file, int line,
				  const char *function);
__END_DECLS
#endif
