// SPDX-License-Identifier: BSD-2-Clause
// Who a tick belongs to, and what else is counted of it (counters.md).
#pragma once
#include <array>
#include <cstdint>

#include "models/memory/events.h"

namespace mcpi::exact {

enum class Owner : uint8_t {
    issue,
    iDemand,
    iStream,
    refillRestart,
    takenBubble,
    mispredict,
    exception,
    loadUse,
    dMiss,
    shift,
    compare,
    agen,
    multiply,
    memoryPort,
    writeBufferFull,
    barrier,
    io,
    translation,
    idle
};

constexpr std::array<const char *, 19> ownerNames = {"issue",
                                                     "i_demand",
                                                     "i_stream",
                                                     "refill_restart",
                                                     "taken_bubble",
                                                     "mispredict",
                                                     "exception",
                                                     "load_use",
                                                     "d_miss",
                                                     "shift",
                                                     "compare",
                                                     "agen",
                                                     "multiply",
                                                     "memory_port",
                                                     "write_buffer_full",
                                                     "barrier",
                                                     "io",
                                                     "translation",
                                                     "idle"};

/// The memory side's events of a tick, and behind them the core's own.
using Events = memory::Events;
constexpr unsigned coreEvents = memory::eventNames.size();
constexpr Events takenBranch = Events{1} << coreEvents, mispredict = takenBranch << 1,
                 palTick = takenBranch << 2;
constexpr Events coldStart = palTick << 1; ///< not counted: every cache is empty from here on
constexpr std::array<const char *, 3> coreEventNames = {"taken_branches", "mispredicts",
                                                        "pal_ticks"};
constexpr const char *eventName(unsigned number) {
    return number < coreEvents ? memory::eventNames[number] : coreEventNames[number - coreEvents];
}

} // namespace mcpi::exact
