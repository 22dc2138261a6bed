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

} // namespace mcpi::exact
