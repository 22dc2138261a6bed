// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <cinttypes>
#include <cstdio>

#include "base/error.h"

namespace mcpi {

/// RunError: what a node has done last, in tick `since`.
[[noreturn]] inline void hangs(unsigned number, uint64_t since, uint64_t pc, uint64_t instructions,
                               bool halted) {
    char text[256];
    std::snprintf(text, sizeof text,
                  "node %u hangs: nothing retired since tick %" PRIu64 ", last pc %" PRIx64
                  ", after %" PRIu64 " instructions%s.",
                  number, since, pc, instructions, halted ? "; it has halted" : "");
    throw RunError(text);
}

} // namespace mcpi
