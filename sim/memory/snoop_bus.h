// SPDX-License-Identifier: BSD-2-Clause
// The snooping bus of several cores: who gets it, in which order requests act, when they end
// (docs/explanation/multiprocessor.md).
#pragma once
#include <algorithm>
#include <deque>
#include <vector>

#include "base/machine.h"
#include "private_cache.h"

namespace mcpi::memory {

/// Ticks and numbers as in machines/parameters.toml.
struct SnoopTimes {
    explicit SnoopTimes(const Machine &machine);
    uint64_t request, data, miss, remote, upgrade, dma;
    unsigned outstanding, first;
    uint64_t blockBytes, bBlockBytes;
};

/// Description of an order, for a history.
struct Ordered {
    uint64_t tick = never, block = 0, ends = 0;
    Request what = Request::read;
    unsigned place = 0; ///< a core, or DMA behind them
    bool remote = false;
};

class SnoopBus {
  public:
    using Caches = std::vector<PrivateCache *>;

    SnoopBus(const Machine &machine, unsigned cores);

    /// The next tick, from `tick` on, in which `order` has something to do.
    uint64_t nextOrder() const {
        return std::min(dmaEnds_, granted_ == never ? never : granted_ + 1);
    }
    bool orders(uint64_t tick) const { return granted_ != never && granted_ + 1 == tick; }
    /// Step 2: what is due ends; what was granted in the tick before is ordered, or null.
    const Ordered *order(uint64_t tick, const Caches &caches);
    /// The next tick in which the arbiter may have something to grant.
    uint64_t nextGrant(uint64_t tick, const Caches &caches);
    /// Step 6: the place that is granted; `nobody`: none is ready.
    unsigned grant(uint64_t tick, const Caches &caches);
    unsigned nobody() const { return dma() + 1; }
    unsigned dma() const { return cores_; }

    /// DMA asks for a transaction, from its command's tick on; one at a time.
    void request(const Dma &dma) {
        dmaRequest_ = dma;
        dmaAsks_ = true;
    }
    /// Its transaction ends in this tick.
    bool dmaEnds(uint64_t tick) const { return dmaEnded_ == tick; }
    const Dma &dmas() const { return dmaRequest_; }
    /// It is under way: from its grant to the tick before its end.
    bool ofDma() const { return dmaEnds_ != never || dmaGranted_; }

    /// Counters of the machine, of all ticks before this one.
    struct Counts {
        uint64_t requests, data, busy;
    };
    Counts counts(uint64_t tick) const;

  private:
    struct Transaction {
        uint64_t block, end;
        unsigned place;
        Request what;
    };
    PrivateCache::Waiting requestOf(unsigned place, const Caches &caches) const;
    bool wants(unsigned place, bool writesBack, const Caches &caches) const;
    uint64_t readyAt(unsigned place, bool writesBack, const Caches &caches) const;
    void ends(uint64_t tick);
    uint64_t endOf(Request what, bool remote);

    SnoopTimes times_;
    unsigned cores_, last_;
    uint64_t granted_ = never; ///< the tick of a grant whose order is to come
    uint64_t lastGrant_ = never, lastData_ = 0;
    bool anyData_ = false;
    std::vector<Transaction> underWay_;
    Dma dmaRequest_{never, 0, false};
    bool dmaAsks_ = false, dmaGranted_ = false;
    uint64_t dmaEnds_ = never, dmaEnded_ = never;
    Ordered ordered_;

    uint64_t requests_ = 0, data_ = 0, busy_ = 0, busySince_ = never;
    std::deque<uint64_t> dataEnds_; ///< of phases that are not over
};

} // namespace mcpi::memory
