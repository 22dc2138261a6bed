// SPDX-License-Identifier: BSD-2-Clause
#include "bus.h"

namespace mcpi::memory {

Bus::Bus(const Geometry &g)
    : g_(g), ramBlocks_(g.ramBytes / g.blockBytes), cache_(g.bBytes, g.blockBytes),
      missed_(ramBlocks_) {}

void Bus::take(Purpose who, uint64_t block, uint64_t tick, TickEvents &events, unsigned more) {
    const unsigned read = cache_.holds(block) ? g_.readTicks : g_.memoryTicks;
    look(who, block, events);
    dmaLast_ = false;
    who_ = who;
    block_ = block;
    due_ = tick + (who == Purpose::write ? g_.writeTicks : read) + more;
}

void Bus::look(Purpose who, uint64_t block, TickEvents &events) {
    static constexpr Event names[] = {Event::bcacheLoads, Event::bcacheFetches,
                                      Event::bcachePrefetches, Event::bcacheWrites};
    events.add(Event::bcacheAccesses);
    events.add(names[static_cast<int>(who)]);
    const bool kept = inRam(block) && g_.bCache; // elsewhere nothing is, and nothing is displaced
    if (who == Purpose::write)
        events.add(Event::writeBufferWrites);
    if (!cache_.holds(block)) {
        events.add(Event::bcacheMisses);
        if (inRam(block) && missed_.again(block))
            events.add(Event::bcacheReplacementMisses);
        if (kept && cache_.put(block))
            events.add(Event::bcacheVictims);
    }
    if (who == Purpose::write && kept)
        cache_.change(block);
}

bool Bus::dmaTakes(uint64_t tick, bool wants, TickEvents &events) {
    const bool granted = granted_ && dmaRequest_.tick == tick;
    if (!granted && (busy() || dmaRequest_.tick > tick || (wants && dmaLast_)))
        return false;
    dma_ = dmaRequest_;
    dmaRequest_.tick = never;
    granted_ = false;
    dmaDue_ = tick + g_.dmaTicks;
    dmaLast_ = true;
    events.add(TickEvents::dmaTaken);
    events.add(Event::bcacheDma);
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
