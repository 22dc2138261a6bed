// SPDX-License-Identifier: BSD-2-Clause
// Ideal memory: what the core wants of the bus in a tick has happened when the next one begins.
#include "hierarchy.h"

namespace mcpi::memory {

/// The I-cache, as the fetch unit reaches it.
struct Hierarchy::Front {
    Hierarchy &h;
    bool filled = false;
    uint64_t filledAt = 0;

    /// F1 reads in the tick, before a flush of that tick; after a miss it reads anew.
    bool hits(uint64_t pc) const {
        const Cache &seen = h.flushes_ && !filled ? h.beforeFlush_ : h.i_;
        return h.inRam(h.blockOf(pc)) && seen.holds(h.blockOf(pc));
    }
    void fill(uint64_t pc) {
        const uint64_t block = h.blockOf(pc);
        filled = true;
        filledAt = pc;
        if (h.entries_ == 1) // it is full, so it goes first
            h.sendStores();
        h.bus_.look(Purpose::demand, block, h.tickEvents_);
        if (!h.inRam(block))
            return;
        if (!h.g_.iCache)
            h.i_.empty();
        h.i_.put(h.comesTo(block), block, false);
        h.tickEvents_.fetched = block;
    }
};

/// In the order of the arbiter: the load, which has asked first; a fetch; the store.
void Hierarchy::betweenTicks(const Step *step) {
    if (loadMissed_ != noBlock) {
        note(TickEvents::loadTaken);
        bus_.look(Purpose::load, loadMissed_, tickEvents_);
        if (!inRam(loadMissed_))
            failedBetween_ = true;
        else if (g_.dCache)
            d_.put(loadMissed_);
        loadMissed_ = noBlock;
    }
    const bool traps = step && step->what == Step::What::trap;
    Front front{*this};
    if (step && step->what == Step::What::cold)
        front_.cold(step->pc);
    else
        front_.end(step && !traps, traps, front);
    if (flushes_)
        oldUntil_ = front.filled ? front.filledAt : front_.readUpTo();
    sendStores();
}

/// STx_C's entry is alone: it is decided here, after the last tick's DMA (core.md, Locks).
void Hierarchy::sendStores() {
    for (; !buffer_.empty(); buffer_.pop()) {
        if (locks_.entered()) {
            const bool stores = !locks_.falling();
            decided(stores);
            if (!stores)
                continue;
            storedBetween_ = true; // it is counted in the next tick
            d_.drop(buffer_.oldest(0));
        }
        note(TickEvents::writeReachesMemory);
        tickEvents_.block = buffer_.oldest(0);
        bus_.look(Purpose::write, tickEvents_.block, tickEvents_);
        failedBetween_ |= !inRam(tickEvents_.block);
    }
}

} // namespace mcpi::memory
