// SPDX-License-Identifier: BSD-2-Clause
// Record of memory in a tick: events and other facts, a bit each.
#pragma once
#include "machines/counters.h"
#include "parts.h"

namespace mcpi::memory {

/// Process the bits in this order after the tick.
struct Happened {
    enum What : uint16_t {
        loadHits = 1 << 0,  ///< a load reads, in stage E1
        dmaEnds = 1 << 1,   ///< a write of DMA is in memory from here on
        loadTaken = 1 << 2, ///< a load that misses reads, as the bus takes it
        dmaTaken = 1 << 3,  ///< a read of DMA reads
        written = 1 << 4,   ///< the write buffer's data of `block` go to memory
        buffered = 1 << 5,  ///< the oldest store that has no entry of the write buffer gets it
        filled = 1 << 6,    ///< the load miss is answered
        decided = 1 << 7,   ///< the bus has decided a STx_C
        stores = 1 << 8,    ///< that STx_C succeeds
        arrives = 1 << 9,   ///< the block that stage D waits for comes
        failed = 1 << 10,   ///< a load or write is answered with an error: no memory is there
        flushes = 1 << 11,  ///< the I-cache is emptied; what has been read ahead stays
        cached = 1 << 12,   ///< the oldest store goes to memory; time sees it in the D-cache alone
        leaves =
            1 << 13, ///< the write buffer's data of `block` are on the way to a private b-cache
        recalls = 1 << 14, ///< a load reads, of a block that the victim cache has
        recalled = 1 << 15 ///< the block that arrives comes from the victim cache
    };

    Events events = 0;
    Events again = 0; ///< those that happened twice: only with ideal memory
    uint16_t what = 0;
    uint64_t block = noBlock;
    uint64_t fetched = noBlock; ///< with ideal memory: what has come into the I-cache

    bool has(What other) const { return what & other; }
    void add(What other) { what |= other; }
    void add(Event event) {
        again |= events & bit(event);
        events |= bit(event);
    }
};

} // namespace mcpi::memory
