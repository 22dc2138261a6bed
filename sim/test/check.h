// SPDX-License-Identifier: BSD-2-Clause
// Checks of unit tests: they print where a condition did not hold, and which.
#pragma once
#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                   \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

/// `what` must end in an exception of this kind.
#define CHECK_REFUSED(kind, what)                                                                  \
    do {                                                                                           \
        bool refused = false;                                                                      \
        try {                                                                                      \
            what;                                                                                  \
        } catch (const kind &) {                                                                   \
            refused = true;                                                                        \
        }                                                                                          \
        CHECK(refused);                                                                            \
    } while (0)
