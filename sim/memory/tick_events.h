// SPDX-License-Identifier: BSD-2-Clause
// Record of memory in a tick: events and other facts, a bit each.
#pragma once
#include "machines/counters.h"
#include "parts.h"

namespace mcpi::memory {

/// Process the bits in this order after the tick.
struct TickEvents {
    enum Bit : uint16_t {
        loadHits = 1 << 0,           ///< a load reads, in stage E1
        dmaEnds = 1 << 1,            ///< a write of DMA is in memory from here on
        loadTaken = 1 << 2,          ///< a load that misses reads, as the bus takes it
        dmaTaken = 1 << 3,           ///< a read of DMA reads
        writeReachesMemory = 1 << 4, ///< the write buffer's data of `block` go to memory
        storeBuffered = 1 << 5, ///< the oldest store that has no entry of the write buffer gets it
        loadFilled = 1 << 6,    ///< the load miss is answered
        storeConditionalDecided = 1 << 7,  ///< the bus has decided a STx_C
        storeConditionalSucceeds = 1 << 8, ///< that STx_C succeeds
        blockArrives = 1 << 9,             ///< the block that stage D waits for comes
        accessFailed = 1 << 10,  ///< a load or write is answered with an error: no memory is there
        icacheFlushed = 1 << 11, ///< the I-cache is emptied; what has been read ahead stays
        storeInCacheOnly =
            1 << 12, ///< the oldest store goes to memory; time sees it in the D-cache alone
        writeSentToPrivateCache =
            1 << 13, ///< the write buffer's data of `block` are on the way to a private b-cache
        loadHitsVictimCache = 1 << 14, ///< a load reads, of a block that the victim cache has
        blockFromVictimCache = 1 << 15 ///< the block that arrives comes from the victim cache
    };

    Events events = 0;
    Events again = 0; ///< those that happened twice: only with ideal memory
    uint16_t bits = 0;
    uint64_t block = noBlock;
    uint64_t fetched = noBlock; ///< with ideal memory: what has come into the I-cache

    bool has(Bit other) const { return bits & other; }
    void add(Bit other) { bits |= other; }
    void add(Event event) {
        again |= events & bit(event);
        events |= bit(event);
    }
};

} // namespace mcpi::memory
