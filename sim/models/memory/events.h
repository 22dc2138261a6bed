// SPDX-License-Identifier: BSD-2-Clause
// What a tick may count of the memory side, each at most once (docs/reference/counters.md).
#pragma once
#include <array>
#include <cstdint>

namespace mcpi::memory {

enum class Event : uint8_t {
    iAccess,
    iMiss,
    iStreamHit,
    iReplacement,
    dAccess,
    dMiss,
    dReplacement,
    writeAccess,
    writeMerge,
    writeSent,
    bAccess,
    bMiss,
    bReplacement,
    bVictim,
    bFetch,
    bPrefetch,
    bLoad,
    bWrite,
    bDma,
    busCore,
    busDma,
    fillWord,
    // Of a write-back D-cache (memory.md), behind the core's own events.
    storeMiss = 32,
    dirtyMiss,
    waitsForDma,
    // Of a private b-cache (multiprocessor.md).
    dCoherence,
    bCoherence,
    remote,
    upgrade,
    writeBack,
    snoop,
    snoopHit,
    invalidated,
    linked,
    conditional,
    conditionalFailed,
    waitsForBus,
    // Of victim caches (memory.md).
    iVictimHit,
    dVictimHit
};

constexpr std::array<const char *, 22> eventNames = {"icache.accesses",
                                                     "icache.misses",
                                                     "icache.stream_hits",
                                                     "icache.replacement_misses",
                                                     "dcache.accesses",
                                                     "dcache.misses",
                                                     "dcache.replacement_misses",
                                                     "write_buffer.accesses",
                                                     "write_buffer.merges",
                                                     "write_buffer.writes",
                                                     "bcache.accesses",
                                                     "bcache.misses",
                                                     "bcache.replacement_misses",
                                                     "bcache.victims",
                                                     "bcache.fetches",
                                                     "bcache.prefetches",
                                                     "bcache.loads",
                                                     "bcache.writes",
                                                     "bcache.dma",
                                                     "bus.core_ticks",
                                                     "bus.dma_ticks",
                                                     "fetch.fill_words"};

constexpr std::array<const char *, 3> backEventNames = {
    "dcache.store_misses", "dcache.dirty_misses", "bus.core_waits_dma"};

constexpr std::array<const char *, 2> victimEventNames = {"icache.victim_hits",
                                                          "dcache.victim_hits"};

/// The counter of an event of one core, a write-back D-cache's and victim caches' too.
constexpr const char *nameOf(unsigned event) {
    constexpr auto back = static_cast<unsigned>(Event::storeMiss);
    constexpr auto victims = static_cast<unsigned>(Event::iVictimHit);
    return event < back      ? eventNames[event]
           : event < victims ? backEventNames[event - back]
                             : victimEventNames[event - victims];
}

constexpr std::array<const char *, 12> coherentEventNames = {"dcache.coherence_misses",
                                                             "bcache.coherence_misses",
                                                             "bcache.remote",
                                                             "bcache.upgrades",
                                                             "bcache.writebacks",
                                                             "bcache.snoops",
                                                             "bcache.snoop_hits",
                                                             "bcache.invalidated",
                                                             "locks.linked",
                                                             "locks.conditional",
                                                             "locks.failed",
                                                             "bus.wait_ticks"};

/// The events of one tick, one bit each.
using Events = uint64_t;
constexpr Events bit(Event event) {
    return Events{1} << static_cast<unsigned>(event);
}

} // namespace mcpi::memory
