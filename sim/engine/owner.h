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
    idle,
    busWait ///< of a private b-cache
};

constexpr std::array<const char *, 20> ownerNames = {
    "issue",      "i_demand",  "i_stream",    "refill_restart", "taken_bubble",
    "mispredict", "exception", "load_use",    "d_miss",         "shift",
    "compare",    "agen",      "multiply",    "memory_port",    "write_buffer_full",
    "barrier",    "io",        "translation", "idle",           "bus_wait"};

/// The memory side's events of a tick, and behind them the core's own.
using Events = memory::Events;
constexpr unsigned coreEvents = memory::eventNames.size();
constexpr Events takenBranch = Events{1} << coreEvents, mispredict = takenBranch << 1,
                 palTick = takenBranch << 2;
constexpr std::array<const char *, 3> coreEventNames = {"taken_branches", "mispredicts",
                                                        "pal_ticks"};
/// Those of a machine that translates (docs/explanation/translation.md).
constexpr unsigned translationEvents = coreEvents + coreEventNames.size();
constexpr Events fetchMiss = palTick << 1, dataMiss = fetchMiss << 1, fetchRefill = dataMiss << 1,
                 dataRefill = fetchRefill << 1, translationFault = dataRefill << 1,
                 contextSwitch = translationFault << 1;
constexpr std::array<const char *, 6> translationEventNames = {
    "itb.misses",       "dtb.misses",         "itb.refill_ticks",
    "dtb.refill_ticks", "translation.faults", "context_switches"};
constexpr unsigned backEvents = static_cast<unsigned>(memory::Event::storeMiss);
constexpr unsigned afterTranslation = translationEvents + translationEventNames.size();
constexpr unsigned coherentEvents = backEvents + memory::backEventNames.size();
constexpr unsigned victimEvents = static_cast<unsigned>(memory::Event::iVictimHit);
constexpr unsigned allEvents = victimEvents + memory::victimEventNames.size();
constexpr Events coldStart = contextSwitch << 1; ///< not counted: the caches are empty from here
static_assert(afterTranslation + 1 == backEvents, "the memory side's last events follow");
static_assert(coherentEvents + memory::coherentEventNames.size() == victimEvents, "so do these");
constexpr const char *eventName(unsigned number) {
    return number < coreEvents          ? memory::eventNames[number]
           : number < translationEvents ? coreEventNames[number - coreEvents]
           : number < afterTranslation  ? translationEventNames[number - translationEvents]
           : number < backEvents        ? ""
           : number < coherentEvents    ? memory::backEventNames[number - backEvents]
           : number < victimEvents      ? memory::coherentEventNames[number - coherentEvents]
           : number < allEvents         ? memory::victimEventNames[number - victimEvents]
                                        : "";
}

} // namespace mcpi::exact
