// SPDX-License-Identifier: BSD-2-Clause
// Ideal memory: what the core wants of the bus in a tick has happened when the next one begins.
#include <utility>

#include "hierarchy.h"

namespace mcpi::memory {

/// The I-cache, as the fetch unit reaches it.
struct Hierarchy::Front {
    Hierarchy &h;
    bool filled = false;

    /// F1 reads in the tick, before a flush of that tick; after a miss it reads anew.
    bool hits(uint64_t pc) const {
        const Cache &seen = h.flushes_ && !filled ? h.beforeFlush_ : h.i_;
        return h.inRam(h.blockOf(pc)) && seen.holds(h.blockOf(pc));
    }
    void fill(uint64_t pc) {
        const uint64_t block = h.blockOf(pc);
        filled = true;
        if (h.entries_ == 1) // it is full, so it goes first
            h.sendStores();
        h.bus_.look(For::demand, block, h.happened_);
        if (!h.inRam(block))
            return;
        if (!h.g_.iCache)
            h.i_.empty();
        h.i_.put(block);
        h.filled_ = block;
    }
};

/// In the order of the arbiter: the load, which has asked first; a fetch; the store.
void Hierarchy::betweenTicks(const Step *step) {
    if (loadMissed_ != noBlock) {
        bus_.look(For::load, loadMissed_, happened_);
        happens(Happened::loadTaken);
        errorNext_ |= !inRam(loadMissed_);
        if (g_.dCache && inRam(loadMissed_))
            d_.put(loadMissed_);
        loadMissed_ = noBlock;
    }
    const bool traps = step && step->what == Step::What::trap;
    Front front{*this};
    front_.end(step && !traps, traps, front);
    sendStores();
}

void Hierarchy::sendStores() {
    for (; !buffer_.empty(); buffer_.pop()) {
        happened_.block = buffer_.oldest(0);
        bus_.look(For::write, happened_.block, happened_);
        happens(Happened::written);
        errorNext_ |= !inRam(happened_.block);
    }
}

/// What came before this tick is seen in it.
void Hierarchy::fromBefore() {
    if (filled_ != noBlock)
        comes(std::exchange(filled_, noBlock));
    if (std::exchange(errorNext_, false))
        happens(Happened::failed);
}

} // namespace mcpi::memory
