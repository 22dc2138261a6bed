// SPDX-License-Identifier: BSD-2-Clause
#include "bus.h"

namespace mcpi::memory {

Bus::Bus(const Geometry &g)
    : g_(g), ramBlocks_(g.ramBytes / g.blockBytes), cache_(g.bBytes, g.blockBytes),
      missed_(ramBlocks_) {}

void Bus::take(For who, uint64_t block, uint64_t tick, Happened &happened, unsigned more) {
    const unsigned read = cache_.holds(block) ? g_.readTicks : g_.memoryTicks;
    look(who, block, happened);
    dmaLast_ = false;
    who_ = who;
    block_ = block;
    due_ = tick + (who == For::write ? g_.writeTicks : read) + more;
}

void Bus::look(For who, uint64_t block, Happened &happened) {
    static constexpr Event names[] = {Event::bcacheLoads, Event::bcacheFetches,
                                      Event::bcachePrefetches, Event::bcacheWrites};
    happened.add(Event::bcacheAccesses);
    happened.add(names[static_cast<int>(who)]);
    const bool kept = inRam(block) && g_.bCache; // elsewhere nothing is, and nothing is displaced
    if (who == For::write)
        happened.add(Event::writeBufferWrites);
    if (!cache_.holds(block)) {
        happened.add(Event::bcacheMisses);
        if (inRam(block) && missed_.again(block))
            happened.add(Event::bcacheReplacementMisses);
        if (kept && cache_.put(block))
            happened.add(Event::bcacheVictims);
    }
    if (who == For::write && kept)
        cache_.change(block);
}

bool Bus::dmaTakes(uint64_t tick, bool wants, Happened &happened) {
    const bool granted = granted_ && asks_.tick == tick;
    if (!granted && (busy() || asks_.tick > tick || (wants && dmaLast_)))
        return false;
    dma_ = asks_;
    asks_.tick = never;
    granted_ = false;
    dmaDue_ = tick + g_.dmaTicks;
    dmaLast_ = true;
    happened.add(Happened::dmaTaken);
    happened.add(Event::bcacheDma);
    const uint64_t block = dma_.address / g_.blockBytes;
    if (dma_.write && cache_.holds(block))
        cache_.change(block);
    return true;
}

void Bus::endDma() {
    dmaDue_ = never;
    if (dma_.write)
        wrote_ = dma_.address;
}

} // namespace mcpi::memory
