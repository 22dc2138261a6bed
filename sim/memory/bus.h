// SPDX-License-Identifier: BSD-2-Clause
// The memory bus and the b-cache: one transaction at a time, of a core or of DMA (memory.md).
#pragma once
#include <algorithm>

#include "tick_events.h"
#include "trace.h"
#include "transaction.h"

namespace mcpi::memory {

class Bus {
  public:
    explicit Bus(const Geometry &geometry);

    /// A tick begins: which transaction of the core is answered in it; `block()` is its block.
    Purpose begin(uint64_t tick) {
        wrote_ = noBlock;
        dmaEnds_ = dmaDue_ == tick;
        if (dmaEnds_)
            endDma();
        if (due_ != tick)
            return Purpose::nobody;
        due_ = never;
        return who_;
    }
    uint64_t block() const { return block_; }
    /// DMA's transaction ends in this tick; the address that it has written, if it has.
    bool dmaEnds() const { return dmaEnds_; }
    uint64_t wrote() const { return wrote_; }

    /// Nobody has it, nor takes it by `grant`.
    bool free(uint64_t tick) const { return !busy() && !(granted_ && dmaRequest_.tick == tick); }
    /// In this tick DMA neither has it nor asks for it, and what ends is in memory.
    bool ofCoreAlone(uint64_t tick) const {
        return dmaDue_ == never && dmaRequest_.tick > tick && (due_ != tick || inRam(block_));
    }
    bool ofDma() const { return dmaDue_ != never; }
    bool busy() const { return due_ != never || dmaDue_ != never; }
    /// Return true if DMA takes it now; `wants`: so does the core. They alternate.
    bool dmaTakes(uint64_t tick, bool wants, TickEvents &events);
    /// The core's transaction begins; the bus is free.
    /// `more`: ticks that it takes beyond what it is.
    void take(Purpose who, uint64_t block, uint64_t tick, TickEvents &events, unsigned more = 0);
    /// Look a transaction of the core up in the b-cache.
    void look(Purpose who, uint64_t block, TickEvents &events);

    /// DMA asks for the bus, from `dma.tick` on; one at a time.
    void request(const Dma &dma) { dmaRequest_ = dma; }
    bool dmaWaits() const { return dmaRequest_.tick != never; }
    /// It gets the bus in its tick, whoever else has or wants it.
    void grant(const Dma &dma) {
        dmaRequest_ = dma;
        granted_ = true;
    }

    /// The transaction of DMA that has the bus, or had it last.
    const Dma &dma() const { return dma_; }
    /// The tick in which what is under way ends, or from which DMA asks for the free bus.
    uint64_t next() const { return busy() ? std::min(due_, dmaDue_) : dmaRequest_.tick; }
    /// Events that a tick counts of the transactions under way.
    Events steady() const {
        return (due_ != never ? bit(Event::busCoreTicks) : 0) |
               (dmaDue_ != never ? bit(Event::busDmaTicks) : 0);
    }

    /// The tick before took no time: what is under way ends a tick later.
    void standsStill() {
        due_ += due_ != never;
        dmaDue_ += dmaDue_ != never;
    }

    const Cache &bcache() const { return cache_; }
    bool inRam(uint64_t block) const { return block < ramBlocks_; }
    void forget() { missed_.forget(); }
    void empty() { cache_.empty(); }

  private:
    void endDma();

    Geometry g_;
    uint64_t ramBlocks_;
    Cache cache_;
    Missed missed_;

    Purpose who_ = Purpose::nobody; ///< of the core's transaction
    uint64_t block_ = noBlock, due_ = never;
    Dma dmaRequest_{never, 0, false}, dma_;
    uint64_t dmaDue_ = never;
    bool granted_ = false; ///< what asks
    bool dmaLast_ = false; ///< the bus was given to DMA last

    // State of the current tick.
    bool dmaEnds_ = false;
    uint64_t wrote_ = noBlock; ///< an address
};

} // namespace mcpi::memory
