/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine knows no date: time() counts seconds since reset. */
#pragma once

#include <stddef.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

typedef long clock_t;
typedef long time_t;
#define CLOCKS_PER_SEC 1000000

clock_t clock(void); /* µs since reset */
time_t time(time_t *seconds);

__END_DECLS
