// SPDX-License-Identifier: BSD-2-Clause
// A core's own b-cache on the snooping bus: tags and states, and the one transaction that it has
// for its core (docs/explanation/multiprocessor.md).
//
// The core begins, decides and takes; the bus, before it in each tick, grants, orders and snoops.
#pragma once
#include <optional>
#include <vector>

#include "tick_events.h"
#include "trace.h"
#include "transaction.h"

namespace mcpi::memory {

enum class State : uint8_t { invalid, shared, exclusive, modified };

/// Requests to the snooping bus.
enum class Request : uint8_t { read, readExclusive, upgrade, writeBack, dmaRead, dmaWrite };
inline bool invalidates(Request r) {
    return r == Request::readExclusive || r == Request::upgrade || r == Request::dmaWrite;
}

class PrivateCache {
  public:
    explicit PrivateCache(const Geometry &geometry);

    // For the core.
    /// A tick begins: whose transaction ends in it; `block()` is its block.
    Purpose begin(uint64_t tick) {
        its_ = phase_ != Phase::none || dropsAt_ == tick;
        ended_.reset();
        if (phase_ == Phase::none || due_ != tick)
            return Purpose::nobody;
        phase_ = Phase::none;
        endsOvertaken_ = overtaken_;
        return who_;
    }
    /// The command taken in the tick before is decided; `fallen`: it is STx_C's, whose flag fell.
    void decide(uint64_t tick, bool fallen, TickEvents &events);
    bool busy() const { return phase_ != Phase::none; }
    /// It is free, and takes a command; `conditional`: STx_C's.
    void take(Purpose who, uint64_t block, uint64_t tick, bool conditional);
    uint64_t block() const { return block_; }
    Purpose who() const { return who_; }
    /// In this tick its read takes data, or its write is visible.
    bool acts(uint64_t tick) const { return actsAt_ == tick; }
    /// In this tick STx_C is dropped.
    bool drops(uint64_t tick) const { return dropsAt_ == tick; }
    /// A read that has its data was overtaken by another's write since: the one that ends in this
    /// tick, the one under way.
    bool endsOvertaken() const { return endsOvertaken_; }
    bool overtaken() const { return overtaken_; }
    /// A fetch that has its data and has not ended, of this block.
    bool fetches(uint64_t block) const {
        return busy() && block_ == block &&
               (who_ == Purpose::demand || who_ == Purpose::prefetch) && actsAt_ != never;
    }
    /// The b-cache's block that has left it in this tick; whether another took it.
    uint64_t lost(uint64_t tick) const { return lostAt_ == tick ? lost_ : noBlock; }
    bool taken() const { return takenAway_; }
    /// The next tick in which it does something by itself, from `tick` on.
    uint64_t next(uint64_t tick) const;
    /// In this tick its command was taken; it was decided, by the state that was found.
    bool takes(uint64_t tick) const { return takenAt_ == tick; }
    bool decides(uint64_t tick) const { return decidedAt_ == tick; }
    State found() const { return found_; }
    bool conditional() const { return conditional_; }
    /// It has a request that has not been granted.
    bool waits(uint64_t tick) const { return phase_ == Phase::waits && tick >= raised_; }
    /// Something that the core has to look at has events in this tick.
    bool stirs(uint64_t tick) const {
        return lostAt_ == tick || actsAt_ == tick || dropsAt_ == tick;
    }
    /// It waits for nothing of the bus, and its transaction is of memory.
    bool ofCoreAlone() const {
        return phase_ != Phase::waits && phase_ != Phase::granted && (!busy() || inRam(block_));
    }
    /// In this tick a write is decided, and visible if it hits.
    bool decidesWrite(uint64_t tick) const {
        return phase_ == Phase::taken && who_ == Purpose::write && tick == takenAt_ + 1;
    }
    /// Events that each tick counts, after the arbiter.
    Events waiting(uint64_t tick) const { return waits(tick) ? bit(Event::busWaitTicks) : 0; }
    /// Events that the bus has counted here in this tick.
    Events snooped(uint64_t tick) const { return snoopedAt_ == tick ? snooped_ : 0; }
    /// Cause of the current tick; of each tick that only passes.
    Cause cause() const { return its_ ? ended_.value_or(cause_) : Cause::none; }
    Cause steadyCause() const { return busy() ? cause_ : Cause::none; }
    uint64_t blockOf(uint64_t block) const { return block >> shift_; }
    void forget() { missed_.forget(); }
    void empty();

    // For the bus.
    State state(uint64_t block) const;
    struct Waiting {
        Request what;
        uint64_t block, raised;
    };
    /// The request that waits, and the write-back; only if `waits` or `writesBack`.
    Waiting request() const { return {request_, blockOf(block_), raised_}; }
    Waiting writeBack() const { return {Request::writeBack, writeBack_, writeBackFrom_}; }
    bool raised() const { return phase_ == Phase::waits; }
    bool writesBack() const { return writeBack_ != noBlock; }
    void granted() { phase_ = Phase::granted; }
    void writeBackGranted() { writeBack_ = noBlock; }
    /// Another's request is ordered: the state before it.
    State snoop(uint64_t tick, Request what, uint64_t block);
    /// Its own is, and ends in `due`.
    void ordered(uint64_t tick, bool shared, bool remote, uint64_t due);
    void wroteBack(uint64_t tick) { counts(tick, Event::bcacheWritebacks); }
    bool inRam(uint64_t block) const { return block < ramBlocks_; }

  private:
    enum class Phase : uint8_t { none, taken, waits, granted, ends };
    struct Line {
        uint64_t block = noBlock;
        State state = State::invalid;
    };
    Line &line(uint64_t block) { return lines_[block & (lines_.size() - 1)]; }
    const Line &line(uint64_t block) const { return lines_[block & (lines_.size() - 1)]; }
    void removeBlock(uint64_t tick, uint64_t block, bool taken);
    void raise(Request what);
    void accesses(uint64_t tick);
    void misses(uint64_t tick, uint64_t block);
    void drop(uint64_t tick);
    void counts(uint64_t tick, Event event) {
        if (snoopedAt_ != tick)
            snooped_ = 0;
        snoopedAt_ = tick;
        snooped_ |= bit(event);
    }

    unsigned shift_;
    uint64_t ramBlocks_, readTicks_, writeTicks_;
    std::vector<Line> lines_;
    Missed missed_;
    Lost others_; ///< blocks that others have taken

    // The core's transaction.
    Phase phase_ = Phase::none;
    Purpose who_ = Purpose::nobody;
    bool conditional_ = false, overtaken_ = false, endsOvertaken_ = false;
    uint64_t block_ = noBlock, takenAt_ = never, raised_ = never, due_ = never;
    Request request_ = Request::read;
    Cause cause_ = Cause::none;
    bool its_ = false;           ///< the current tick is the transaction's
    std::optional<Cause> ended_; ///< that of the one that it ended, if another was taken in it
    uint64_t writeBack_ = noBlock, writeBackFrom_ = never;

    // State of a tick.
    uint64_t actsAt_ = never, dropsAt_ = never, lostAt_ = never, snoopedAt_ = never,
             decidedAt_ = never;
    State found_ = State::invalid;
    uint64_t lost_ = noBlock;
    bool takenAway_ = false;
    Events snooped_ = 0;
};

} // namespace mcpi::memory
