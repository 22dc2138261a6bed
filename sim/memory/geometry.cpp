// SPDX-License-Identifier: BSD-2-Clause
#include "geometry.h"

namespace mcpi::memory {

Geometry geometry(const Machine &m) {
    Geometry g;
    auto small = [&](const char *key) { return static_cast<unsigned>(m.parameter(key)); };
    g.blockBytes = m.parameter("cache.block");
    g.iBytes = m.parameter("icache.size");
    g.dBytes = m.parameter("dcache.size");
    g.iWays = small("icache.ways");
    g.dWays = small("dcache.ways");
    g.iVictims = small("icache.victims");
    g.dVictims = small("dcache.victims");
    g.iVictimTicks = small("icache.victim_ticks");
    g.dVictimTicks = small("dcache.victim_ticks");
    g.bBytes = m.parameter("bcache.size");
    g.ramBytes = m.parameter("memory.size");
    g.bufferEntries = small("write_buffer.entries");
    g.drainAt = small("write_buffer.drain_at");
    g.idleTicks = small("write_buffer.idle_ticks");
    g.writeTicks = small("write_buffer.write_ticks");
    g.readTicks = small("bcache.read_ticks");
    g.coherent = m.has("bcache.private");
    if (g.coherent)
        g.bBlockBytes = m.parameter("bcache.block");
    else
        g.memoryTicks = small("memory.read_ticks");
    g.dmaTicks = small("bcache.dma_ticks");
    g.takenPenalty = small("core.taken_penalty");
    g.refillRestart = small("icache.refill_restart");
    if (m.parameter("core.translation"))
        g.pageBytes = m.parameter("tlb.page");
    g.back = m.parameter("dcache.policy");
    g.dirtyTicks = small("dcache.dirty_ticks");
    g.prefetch = m.parameter("icache.prefetch");
    g.iCache = m.parameter("icache.enable");
    g.dCache = m.parameter("dcache.enable");
    g.bCache = m.parameter("bcache.enable");
    g.buffer = m.parameter("write_buffer.enable");
    return g;
}

} // namespace mcpi::memory
