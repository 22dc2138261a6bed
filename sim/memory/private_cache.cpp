// SPDX-License-Identifier: BSD-2-Clause
#include "private_cache.h"

namespace mcpi::memory {

PrivateCache::PrivateCache(const Geometry &g)
    : shift_(logarithm(g.bBlockBytes / g.blockBytes)), ramBlocks_(g.ramBytes / g.blockBytes),
      readTicks_(g.readTicks), writeTicks_(g.writeTicks), lines_(g.bBytes / g.bBlockBytes),
      missed_(g.ramBytes / g.bBlockBytes), others_(g.ramBytes / g.bBlockBytes) {}

State PrivateCache::state(uint64_t block) const {
    const Line &there = line(block);
    return there.block == block ? there.state : State::invalid;
}

void PrivateCache::empty() {
    std::fill(lines_.begin(), lines_.end(), Line());
}

void PrivateCache::take(Purpose who, uint64_t block, uint64_t tick, bool conditional) {
    if (its_)
        ended_ = cause_;
    phase_ = Phase::taken;
    who_ = who;
    block_ = block;
    takenAt_ = tick;
    conditional_ = conditional;
    overtaken_ = false;
    due_ = raised_ = actsAt_ = never;
    cause_ = Cause::open;
}

uint64_t PrivateCache::next(uint64_t tick) const {
    switch (phase_) {
    case Phase::taken:
        return takenAt_ + 1;
    case Phase::waits: // from `raised_` on its ticks are others
        return tick <= raised_ ? raised_ : never;
    case Phase::ends:
        return due_;
    default:
        return never;
    }
}

/// It accesses the b-cache, as it is counted.
void PrivateCache::accesses(uint64_t tick) {
    static constexpr Event names[] = {Event::bcacheLoads, Event::bcacheFetches,
                                      Event::bcachePrefetches, Event::bcacheWrites};
    counts(tick, Event::bcacheAccesses);
    counts(tick, names[static_cast<int>(who_)]);
    if (who_ == Purpose::write)
        counts(tick, Event::writeBufferWrites);
}

void PrivateCache::misses(uint64_t tick, uint64_t block) {
    accesses(tick);
    counts(tick, Event::bcacheMisses);
    if (!inRam(block_))
        return;
    const bool lost = others_.take(block);
    if (missed_.again(block))
        counts(tick, lost ? Event::bcacheCoherenceMisses : Event::bcacheReplacementMisses);
}

void PrivateCache::raise(Request what) {
    phase_ = Phase::waits;
    request_ = what;
    raised_ = takenAt_ + 2;
}

void PrivateCache::drop(uint64_t tick) {
    dropsAt_ = tick;
    phase_ = Phase::none;
}

void PrivateCache::decide(uint64_t tick, bool fallen, TickEvents &events) {
    if (phase_ == Phase::taken && tick == takenAt_ + 1) {
        const uint64_t block = blockOf(block_);
        const State found = inRam(block_) ? state(block) : State::invalid;
        const bool write = who_ == Purpose::write;
        decidedAt_ = tick;
        found_ = found;
        if (fallen && conditional_) {
            cause_ = Cause::none;
            drop(tick);
        } else if (found == State::invalid) {
            misses(tick, block);
            raise(write ? Request::readExclusive : Request::read);
        } else if (write && found == State::shared) {
            raise(Request::upgrade);
        } else {
            accesses(tick);
            if (write)
                line(block).state = State::modified;
            phase_ = Phase::ends;
            cause_ = Cause::bcache;
            actsAt_ = tick;
            due_ = takenAt_ + (write ? writeTicks_ : readTicks_);
        }
    }
    events.events |= snooped(tick);
}

/// A block goes out of the cache.
void PrivateCache::removeBlock(uint64_t tick, uint64_t block, bool taken) {
    lost_ = block;
    lostAt_ = tick;
    takenAway_ = taken;
    line(block).state = State::invalid;
    if (!taken)
        return;
    others_.add(block);
    counts(tick, Event::bcacheInvalidated);
    if (phase_ == Phase::ends && blockOf(block_) == block)
        overtaken_ = true;
    if (phase_ != Phase::waits || request_ != Request::upgrade || blockOf(block_) != block)
        return;
    if (conditional_) {
        cause_ = Cause::upgrade;
        return drop(tick);
    }
    request_ = Request::readExclusive;
    misses(tick, block);
}

State PrivateCache::snoop(uint64_t tick, Request what, uint64_t block) {
    const State before = block < others_.blocks() ? state(block) : State::invalid;
    counts(tick, Event::bcacheSnoops);
    if (before == State::invalid)
        return before;
    counts(tick, Event::bcacheSnoopHits);
    if (invalidates(what))
        removeBlock(tick, block, true);
    else if (what == Request::read)
        line(block).state = State::shared;
    return before;
}

void PrivateCache::ordered(uint64_t tick, bool shared, bool remote, uint64_t due) {
    const uint64_t block = blockOf(block_);
    phase_ = Phase::ends;
    actsAt_ = tick;
    due_ = due;
    cause_ = request_ == Request::upgrade ? Cause::upgrade : remote ? Cause::remote : Cause::memory;
    if (request_ == Request::upgrade) {
        accesses(tick);
        counts(tick, Event::bcacheUpgrades);
    }
    if (remote)
        counts(tick, Event::bcacheRemote);
    if (!inRam(block_))
        return;
    Line &there = line(block);
    if (there.block != block && there.state != State::invalid) {
        const uint64_t victim = there.block;
        if (there.state == State::modified) {
            writeBack_ = victim;
            writeBackFrom_ = tick + 1;
            counts(tick, Event::bcacheVictims);
        }
        removeBlock(tick, victim, false);
    }
    there.block = block;
    there.state = request_ != Request::read ? State::modified
                  : shared                  ? State::shared
                                            : State::exclusive;
}

} // namespace mcpi::memory
