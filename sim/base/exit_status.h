// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <cstdio>
#include <exception>

#include "error.h"

namespace mcpi {

/// The exit status of a program's main: `body`'s status, or 2 for a UserError and 1 for anything
/// else, after one line that says what was wrong.
template <typename Body> int exitStatus(const char *program, Body body) {
    try {
        return body();
    } catch (const UserError &error) {
        std::fprintf(stderr, "%s: %s\n", program, error.what());
        return 2;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s: %s\n", program, error.what());
        return 1;
    }
}

} // namespace mcpi
