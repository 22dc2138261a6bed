// SPDX-License-Identifier: BSD-2-Clause
// Ideal memory: what the core wants of the bus in a tick has happened when the next one begins.
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
        if (h.entries() == 1) // it is full, so it goes first
            h.sendStores();
        h.look(For::demand, block);
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
    filled_.reset();
    if (loadMissed_) {
        look(For::load, *loadMissed_);
        if (onLoad)
            onLoad();
        errorNext_ |= !inRam(*loadMissed_);
        if (g_.dCache && inRam(*loadMissed_))
            d_.put(*loadMissed_);
        loadMissed_.reset();
    }
    const bool traps = step && step->what == Step::What::trap;
    Front front{*this};
    front_.end(step && !traps, traps, front);
    sendStores();
}

void Hierarchy::sendStores() {
    for (; !buffer_.blocks.empty(); buffer_.blocks.pop_front()) {
        const uint64_t block = buffer_.blocks.front();
        look(For::write, block);
        if (onWrite)
            onWrite(block);
        errorNext_ |= !inRam(block);
    }
}

} // namespace mcpi::memory
