// SPDX-License-Identifier: BSD-2-Clause
// Who a tick belongs to, and what else is counted of it (counters.md).
#pragma once
#include <cstdint>

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

/// Their names, in that order.
constexpr const char *ownerNames[] = {"issue",
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

} // namespace mcpi::exact
