// SPDX-License-Identifier: BSD-2-Clause
#include "hierarchy.h"

#include <algorithm>
#include <utility>

namespace mcpi::memory {
namespace {

constexpr uint64_t pageBytes = 8192; // the stream buffer stays in it
constexpr unsigned restart = 3;      // from a block's arrival, or a trap, to stage D
constexpr unsigned fromReset = 2;
constexpr unsigned idleMax = 1023;

} // namespace

Hierarchy::Hierarchy(const Geometry &g)
    : g_(g), i_(g.iBytes, g.blockBytes), d_(g.dBytes, g.blockBytes), b_(g.bBytes, g.blockBytes),
      used_(g.iBytes / g.blockBytes, std::vector<bool>(g.blockBytes / 4)), inD_(fromReset),
      beforeFlush_(g.iBytes, g.blockBytes), locks_(g.blockBytes) {}

void Hierarchy::step(const Step &s) {
    arrive(s);
    live(s.tick, &s);
    depart(s);
}

uint64_t Hierarchy::paced(Step s, const Operands &o) {
    arrive(s);
    told_ = true;
    const bool trap = s.what == Step::What::trap; // comes before whatever holds its instruction
    for (bool issues = false; !issues;) {
        s.tick = tick_;
        live(&s);
        issues = there_ && (trap || !holds(s, o));
        if (!issues && onWait)
            onWait(reason(s, o));
        end(issues ? &s : nullptr);
    }
    return s.tick;
}

void Hierarchy::end(const Step *s) {
    if (s && s->what == Step::What::issue)
        used(s->pc);
    if (g_.ideal)
        betweenTicks(s);
    executing_.reset();
    ++tick_;
    if (s)
        depart(*s);
}

/// docs/explanation/core.md, the order of owners.
Wait Hierarchy::reason(const Step &s, const Operands &o) const {
    if (missing_) {
        const bool awaited = streamOnBus_ && !streamStale_ && streamBlock_ == blockOf(s.pc);
        return awaited ? Wait::stream : Wait::demand;
    }
    if (!there_)
        return refilled_                       ? Wait::refilled
               : s.arrival == Arrival::trapped ? Wait::trapped
                                               : Wait::redirected;
    if (ioDrains_)
        return Wait::io;
    if (storeWaits_ || storeWaited_)
        return Wait::bufferFull;
    if (locks_.holds(tick_))
        return Wait::barrier;
    if (o.fill && fill_)
        return Wait::fill;
    if (tick_ < o.from)
        return Wait::operand;
    if (s.kind == Kind::barrier)
        return Wait::barrier;
    return Wait::memoryPort;
}

bool Hierarchy::quiet() const {
    return !core_ && !dmaNow_ && dmas_.empty() && buffer_.blocks.empty() && !storeWaits_ &&
           !fill_ && !locks_.waits() && !ioDrains_ && !streamWanted_ && !executing_ &&
           (!g_.ideal || front_.rests());
}

void Hierarchy::skip(uint64_t ticks) {
    tick_ += ticks;
    buffer_.idle = static_cast<unsigned>(std::min<uint64_t>(buffer_.idle + ticks, idleMax));
    happened_ = 0;
}

/// At the end of a tick in which `s` is in stage D: whether it stays there.
bool Hierarchy::held(const Step &s) const {
    if (storeWaits_ || storeWaited_ || ioDrains_ || locks_.holds(tick_))
        return true;
    switch (s.kind) {
    case Kind::load:
    case Kind::store:
    case Kind::conditional:
    case Kind::io:
        return fill_.has_value();
    case Kind::barrier:
        return undrained();
    default:
        return s.what == Step::What::cold && undrained();
    }
}

/// `s` is the next that stage D wants.
void Hierarchy::arrive(const Step &s) {
    const uint64_t penalty = std::max(restart, g_.takenPenalty);
    switch (s.arrival) {
    case Arrival::reset:
        inD_ = fromReset;
        front_.turn(s.pc);
        break;
    case Arrival::sequential:
    case Arrival::cold:
        inD_ = lastTick_ + 1;
        break;
    case Arrival::redirected:
        inD_ = lastTick_ + 1 + s.penalty.value_or(penalty);
        if (!s.followed)
            front_.redirect(s.pc, s.penalty.value_or(penalty) - restart);
        break;
    case Arrival::trapped:
        inD_ = lastTick_ + restart;
        front_.turn(s.pc);
        break;
    }
    if (s.arrival == Arrival::sequential)
        ahead_ -= ahead_ > 0;
    else
        ahead_ = 0;
    there_ = missing_ = demanded_ = refilled_ = failed_ = false;
}

/// `s` has left stage D.
void Hierarchy::depart(const Step &s) {
    if (s.what == Step::What::cold)
        emptyAll();
    if (ahead_ && flushTick_ == s.tick)
        ++ahead_; // a third one was read in that tick, as stage D moved on
    executing_.reset();
    if (s.what == Step::What::issue)
        executing_ = s;
    if (s.what == Step::What::trap)
        locks_.fall();
    lastTick_ = s.tick;
}

void Hierarchy::finish(uint64_t tick) {
    live(tick, nullptr);
}

void Hierarchy::forget() {
    for (Cache *cache : {&i_, &d_, &b_})
        cache->forget();
}

void Hierarchy::live(uint64_t until, const Step *wanted) {
    for (; tick_ <= until; ++tick_) {
        if (onTick)
            onTick(tick_);
        oneTick(wanted);
        if (wanted && tick_ == until && wanted->what == Step::What::issue)
            used(wanted->pc);
        executing_.reset();
    }
}

/// What was so when the tick began decides; what happens in it is so from the next tick on.
void Hierarchy::oneTick(const Step *wanted) {
    answered_.reset();
    decided_.reset();
    happened_ = again_ = 0;
    error_ = std::exchange(errorNext_, false);
    frontQuiet_ = !streamWanted_ && !streamOnBus_;
    storeWaited_ = storeWaits_.has_value();
    wasEmpty_ = buffer_.blocks.empty();
    storing_.reset();
    arrival_.reset();
    wantsDemand_ = drains_ = writeTaken_ = flushes_ = false;
    dropped_.reset();
    dmaWrote_.reset();
    if (core_ && core_->due == tick_) {
        answered_ = core_->who;
        error_ = (core_->who == For::load || core_->who == For::write) && !inRam(core_->block);
        core_.reset();
    }
    const bool ends = dmaNow_ && dmaDue_ == tick_;

    if (storeWaits_)
        storing_ = storeWaits_;
    if (ioDrains_) {
        drains_ = true;
        ioDrains_ = !buffer_.blocks.empty();
    }
    if (locks_.waits())
        conditional();
    execute();
    if (ends)
        dmaEnds();
    if (wanted)
        fetch(*wanted);
    arbitrate();
    store();
    endOfTick();
}

/// Stage E1.
void Hierarchy::execute() {
    if (!executing_)
        return;
    const uint64_t block = blockOf(executing_->address);
    switch (executing_->kind) {
    case Kind::load:
        event(Event::dAccess);
        if (!d_.holds(block)) {
            miss(d_, block, Event::dMiss, Event::dReplacement);
            (g_.ideal ? loadMissed_ : fill_) = block;
        } else if (onLoad) {
            onLoad();
        }
        break;
    case Kind::store:
        event(Event::writeAccess);
        storing_ = block;
        break;
    case Kind::conditional: // waits from the next tick on
        locks_.begin(tick_, executing_->address,
                     told_ ? std::optional(executing_->stored) : std::nullopt);
        break;
    case Kind::io:
        ioDrains_ = true; // from the next tick on
        break;
    case Kind::returns:
        locks_.fall();
        break;
    case Kind::flushFetch:
        flushes_ = true;
        break;
    default:
        break;
    }
    if (executing_->locks)
        locks_.take(executing_->address);
}

/// STx_C waits: an entry of its own, when all before it are gone, unless DMA takes its flag.
void Hierarchy::conditional() {
    drains_ = true;
    if (locks_.refused(tick_)) {
        if (locks_.entered())
            buffer_.blocks.pop_front(); // it was alone
        decided(false);
    } else if (locks_.ready(tick_) && locks_.toIo()) {
        ioDrains_ = true; // from the next tick on
        decided(false);
    } else if (locks_.ready(tick_) && buffer_.blocks.empty()) {
        storing_ = blockOf(locks_.address());
    }
}

void Hierarchy::decided(bool stores) {
    locks_.decide(tick_);
    decided_ = stores;
    if (onConditional)
        onConditional(tick_, stores);
}

/// Stage D's instruction: is it there, and if not, where does its block come from?
void Hierarchy::fetch(const Step &wanted) {
    if (tick_ < inD_)
        return;
    const uint64_t block = blockOf(wanted.pc);
    if (g_.ideal) {
        there_ = front_.there();
        failed_ = !inRam(block);
        return;
    }
    if (!there_ && !missing_) {
        there_ = failed_ || (ahead_ ? beforeFlush_ : i_).holds(block);
        missing_ = !there_;
        if (missing_) {
            miss(i_, block, Event::iMiss, Event::iReplacement);
            auto &line = used_[block % used_.size()];
            std::fill(line.begin(), line.end(), false);
            const bool comes = streamOnBus_ && !streamStale_;
            if ((streamValid_ || comes) && streamBlock_ == block)
                event(Event::iStreamHit);
        }
    }
    if (there_) {
        drains_ |= wanted.kind == Kind::barrier || wanted.what == Step::What::cold;
        return;
    }
    const bool inStream = streamValid_ && streamBlock_ == block;
    const bool awaited = streamOnBus_ && !streamStale_ && streamBlock_ == block;
    if (inStream || (awaited && answers(For::prefetch)) || (demanded_ && answers(For::demand)))
        arrival_ = block;
    else if (!awaited && !demanded_) {
        wantsDemand_ = true;
        demandBlock_ = block;
    }
}

/// One transaction at a time: load, demand, prefetch, write; a write first if the buffer is full or
/// a load waits for it.
void Hierarchy::arbitrate() {
    const bool done = answers(For::write);
    const bool wantsLoad = fill_ && !fillSent_;
    const bool loadWaits = wantsLoad && buffer_.has(*fill_);
    const std::size_t inUse = buffer_.blocks.size() - done;
    const bool due = drains_ || loadWaits || inUse >= (g_.buffer ? g_.drainAt : 1) ||
                     buffer_.idle >= g_.idleTicks;
    const bool withheld = locks_.entered() && locks_.falling();
    const bool wantsWrite = buffer_.blocks.size() > buffer_.sending && due && !withheld;
    const bool full = buffer_.blocks.size() == entries() && !done;
    const bool wantsPrefetch = streamWanted_ && tick_ >= streamAt_;
    const bool wants = wantsWrite || (wantsLoad && !loadWaits) || wantsDemand_ || wantsPrefetch;

    if (!dmaAsks_ && !dmas_.empty() && dmas_.front().tick == tick_)
        return takeDma();
    if (core_ || dmaNow_)
        return;
    if (dmaAsks_ && !dmas_.empty() && dmas_.front().tick <= tick_ && !(wants && dmaLast_))
        return takeDma();
    if (g_.ideal)
        return; // the core's transactions come between two ticks
    if (wantsWrite && (loadWaits || full || !(wantsLoad || wantsDemand_ || wantsPrefetch))) {
        writeTaken_ = true;
        if (locks_.entered()) {
            event(Event::writeAccess);
            dropped_ = blockOf(locks_.address());
            decided(true);
        }
        take(For::write, buffer_.blocks[buffer_.sending]);
        if (onWrite)
            onWrite(buffer_.blocks[buffer_.sending]);
    } else if (wantsLoad && !loadWaits) {
        fillSent_ = true;
        take(For::load, *fill_);
        if (onLoad)
            onLoad();
    } else if (wantsDemand_) {
        demanded_ = true;
        take(For::demand, demandBlock_);
    } else if (wantsPrefetch) {
        streamWanted_ = false;
        streamOnBus_ = true;
        take(For::prefetch, streamBlock_);
    }
}

void Hierarchy::take(For who, uint64_t block) {
    const bool hit = b_.holds(block), write = who == For::write;
    look(who, block);
    const unsigned read = hit ? g_.readTicks : g_.memoryTicks;
    dmaLast_ = false;
    core_ = {who, block, tick_ + (write ? g_.writeTicks : read)};
}

/// In the b-cache.
void Hierarchy::look(For who, uint64_t block) {
    static constexpr Event names[] = {Event::bLoad, Event::bFetch, Event::bPrefetch, Event::bWrite};
    event(Event::bAccess);
    event(names[static_cast<int>(who)]);
    const bool there = inRam(block); // elsewhere nothing is, and nothing is displaced
    const bool hit = b_.holds(block), write = who == For::write;
    if (write)
        event(Event::writeSent);
    if (!hit) {
        miss(b_, block, Event::bMiss, Event::bReplacement);
        const auto victim = b_.occupant(block);
        if (there && victim && dirty_.erase(*victim))
            event(Event::bVictim);
        if (there && g_.bCache)
            b_.put(block);
    }
    if (write && there && g_.bCache)
        dirty_.insert(block);
}

void Hierarchy::takeDma() {
    dmaNow_ = dmas_.front();
    dmas_.pop_front();
    dmaDue_ = tick_ + g_.dmaTicks;
    dmaLast_ = true;
    event(Event::bDma);
    if (onDma)
        onDma(tick_, false);
    const uint64_t block = blockOf(dmaNow_->address);
    if (dmaNow_->write && b_.holds(block))
        dirty_.insert(block);
}

void Hierarchy::dmaEnds() {
    if (dmaNow_->write) {
        dmaWrote_ = dmaNow_->address;
        locks_.written(tick_, *dmaWrote_);
    }
    dmaNow_.reset();
    if (onDma)
        onDma(tick_, true);
}

/// A store joins an entry of its block that is not on the bus, opens one, or waits for one.
void Hierarchy::store() {
    bool stored = false;
    if (storing_) {
        const std::size_t first = std::size_t{buffer_.sending} + writeTaken_;
        const bool joins = g_.buffer && buffer_.joins(*storing_, first);
        stored = joins || buffer_.blocks.size() < entries();
        if (joins)
            event(Event::writeMerge);
        else if (stored)
            buffer_.blocks.push_back(*storing_);
        if (locks_.waits())
            locks_.enter();
        else if (stored && onStored)
            onStored();
        storeWaits_.reset();
        if (!stored)
            storeWaits_ = storing_;
    }
    buffer_.idle = stored ? 0 : std::min(buffer_.idle + 1, idleMax);
    if (answers(For::write)) {
        buffer_.blocks.pop_front();
        buffer_.sending = false;
    }
    buffer_.sending |= writeTaken_;
}

void Hierarchy::endOfTick() {
    if (core_)
        event(Event::busCore);
    if (dmaNow_)
        event(Event::busDma);
    if (answers(For::load)) {
        if (g_.dCache && inRam(*fill_))
            d_.put(*fill_);
        fill_.reset();
        fillSent_ = false;
    }
    if (dropped_)
        d_.drop(*dropped_);
    if (dmaWrote_)
        d_.drop(blockOf(*dmaWrote_));
    if (answers(For::prefetch)) {
        streamOnBus_ = false;
        streamValid_ = !streamStale_ && inRam(streamBlock_);
        streamStale_ = false;
    }
    if (wantsDemand_)
        streamWanted_ = false; // a new miss overtakes it
    if (arrival_)
        arrived(*arrival_);
    if (flushes_)
        flushFetch();
}

/// The block that stage D waits for; the next one of its page is wanted after the restart.
void Hierarchy::arrived(uint64_t block) {
    if (inRam(block)) {
        if (!g_.iCache)
            i_.empty();
        i_.put(block);
    } else {
        failed_ = true; // its error is what stage D gets
    }
    there_ = missing_ = demanded_ = false;
    refilled_ = true;
    ahead_ = 0;
    const uint64_t wait = std::max(restart, g_.refillRestart);
    inD_ = tick_ + wait;
    streamValid_ = false;
    if (g_.prefetch && (block + 1) * g_.blockBytes % pageBytes) {
        streamWanted_ = true;
        streamBlock_ = block + 1;
        streamAt_ = tick_ + wait;
    }
}

/// Stages F2 and F1 have read what follows the flush by one and two instructions.
void Hierarchy::flushFetch() {
    beforeFlush_ = i_;
    ahead_ = missing_ ? 0 : 2;
    flushTick_ = tick_;
    i_.empty();
    streamValid_ = streamWanted_ = false;
    streamStale_ = streamOnBus_;
}

void Hierarchy::emptyAll() {
    for (Cache *cache : {&i_, &d_, &b_})
        cache->empty();
    dirty_.clear();
    streamValid_ = false;
}

/// An instruction issues from its line of the I-cache.
void Hierarchy::used(uint64_t pc) {
    event(Event::iAccess);
    auto word = used_[blockOf(pc) % used_.size()][pc % g_.blockBytes / 4];
    if (!word)
        event(Event::fillWord);
    word = true;
}

void Hierarchy::miss(Cache &cache, uint64_t block, Event miss, Event replacement) {
    event(miss);
    if (inRam(block) && cache.missed(block))
        event(replacement);
}

} // namespace mcpi::memory
