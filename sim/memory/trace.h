// SPDX-License-Identifier: BSD-2-Clause
// Input of the memory model from a run; everything else it works out (counters.md, Oracles).
#pragma once
#include <cstdint>
#include <optional>

namespace mcpi::memory {

/// Line of a step that is not mapped: the I-cache knows its block by the physical address.
constexpr uint64_t noLine = ~uint64_t{0};

/// A machine's memory side; ticks as in machines/parameters.toml.
struct Geometry {
    uint64_t blockBytes = 32, iBytes = 8192, dBytes = 8192, bBytes = 2 << 20, ramBytes = 64 << 20;
    unsigned iWays = 1, dWays = 1;
    unsigned iVictims = 0, dVictims = 0; ///< blocks of the victim caches
    unsigned iVictimTicks = 2, dVictimTicks = 2;
    unsigned bufferEntries = 4, drainAt = 2, idleTicks = 256;
    unsigned readTicks = 10, memoryTicks = 48, writeTicks = 10, dmaTicks = 10;
    unsigned takenPenalty = 4, refillRestart = 3;
    uint64_t pageBytes = 8192; ///< the stream buffer stays in it
    bool back = false;         ///< the D-cache allocates on stores, which then are in it alone
    unsigned dirtyTicks = 0;   ///< of a fill, more if its victim has been changed
    bool prefetch = true;
    bool iCache = true, dCache = true, bCache = true, buffer = true; ///< on
    bool ideal = false;        ///< the core's transactions take no ticks (memory.md, Ideal memory)
    bool coherent = false;     ///< a private b-cache on a snooping bus (multiprocessor.md)
    uint64_t bBlockBytes = 32; ///< of that b-cache
};

/// Logarithm of a power of two.
constexpr unsigned logarithm(uint64_t n) {
    unsigned bits = 0;
    while (n >>= 1)
        ++bits;
    return bits;
}

/// How stage D's next instruction came about.
enum class Arrival : uint8_t { reset, sequential, redirected, trapped, cold };

/// `conditional`: STx_C, wherever to; `returns`: HW_REI; `flushSpaces`: FLUSH_IC_ASM.
enum class Kind : uint8_t {
    other,
    load,
    store,
    conditional,
    io,
    barrier,
    flushFetch,
    flushSpaces,
    returns
};

/// Return true for an access of the program's, also to a device.
constexpr bool accesses(Kind kind) {
    return kind == Kind::load || kind == Kind::store || kind == Kind::conditional ||
           kind == Kind::io;
}

/// A step of stage D, in program order: an instruction issued, a trap taken in the place of one, or
/// a cold start before one.
struct Step {
    enum class What : uint8_t { issue, trap, cold } what = What::issue;
    uint64_t tick = 0; ///< in which it happened
    uint64_t pc = 0;   ///< physical
    Arrival arrival = Arrival::sequential;
    Kind kind = Kind::other;
    uint64_t address = 0;                 ///< physical, of a load or store
    bool locks = false;                   ///< LDx_L
    bool stored = false;                  ///< STx_C, as it came out; only `paced` believes it
    std::optional<unsigned> penalty = {}; ///< ticks lost to a redirection, if not the machine's
    bool followed = false;                ///< fetching had gone there by itself
    uint64_t line = noLine; ///< of a mapped instruction: its block, as `lineOf` names it
    bool lost = false;      ///< no physical address: a trap takes its place
};

/// Why nothing issued in a tick.
enum class Wait {
    lost,
    redirected,
    trapped,
    refilled,
    demand,
    stream,
    memoryPort,
    bufferFull,
    barrier,
    io
};

/// A transaction of the network adapter, in the tick it got the bus.
struct Dma {
    uint64_t tick = 0, address = 0;
    bool write = false;
};

} // namespace mcpi::memory
