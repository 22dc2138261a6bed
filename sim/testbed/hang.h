// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <algorithm>

#include "base/error.h"
#include "base/machine.h"
#include "base/text.h"

namespace mcpi {

/// Ticks without a retirement after which a node hangs: those asked for, or if they are 0 so many
/// that the timer has woken every node that waits for it.
inline uint64_t patience(uint64_t asked, const Machine &machine) {
    return asked ? asked : std::max<uint64_t>(2'000'000, 2 * machine.timerPeriod());
}

/// RunError: what a node has done last, in tick `since`.
[[noreturn]] inline void hangs(unsigned number, uint64_t since, uint64_t pc, uint64_t instructions,
                               bool halted) {
    throw RunError(text("node %u hangs: nothing retired since tick %" PRIu64 ", last pc %" PRIx64
                        ", after %" PRIu64 " instructions%s.",
                        number, since, pc, instructions, halted ? "; it has halted" : ""));
}

} // namespace mcpi
