// SPDX-License-Identifier: BSD-2-Clause
#include "hierarchy.h"

#include <algorithm>

namespace mcpi::memory {
namespace {

constexpr unsigned fromReset = 2;

} // namespace

Hierarchy::Hierarchy(const Geometry &g)
    : g_(g), blockShift_(logarithm(g.blockBytes)), entries_(g.buffer ? g.bufferEntries : 1),
      drainAt_(g.buffer ? g.drainAt : 1), bus_(g), i_(g.iBytes, g.blockBytes, g.iWays),
      d_(g.dBytes, g.blockBytes, g.dWays), iVictims_(g.iVictims), dVictims_(g.dVictims),
      mapped_(g.iBytes / g.blockBytes), iMissed_(g.ramBytes / g.blockBytes), dMissed_(iMissed_),
      dLost_(g.coherent ? g.ramBytes / g.blockBytes : 0), used_(g.iBytes / g.blockBytes),
      inD_(fromReset), beforeFlush_(i_), locks_(g.coherent ? g.bBlockBytes : g.blockBytes) {
    if (g.coherent)
        private_.emplace(g);
}

void Hierarchy::forget() {
    iMissed_.forget();
    dMissed_.forget();
    bus_.forget();
    if (private_)
        private_->forget();
}

void Hierarchy::begin(const Step &s) {
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
        inD_ = lastTick_ + 1 + penaltyOf(s);
        if (!s.followed)
            front_.redirect(s.pc, inD_ - (lastTick_ + 1) - restart);
        break;
    case Arrival::trapped:
        inD_ = lastTick_ + restart;
        front_.turn(s.pc);
        break;
    }
    if (s.arrival == Arrival::sequential)
        ahead_ -= ahead_ > 0;
    else
        ahead_ = oldUntil_ = 0;
    there_ = missing_ = demanded_ = refilled_ = failed_ = lost_ = demandWaits_ = false;
}

void Hierarchy::end(const Step *s) {
    executing_ = {};
    if (s && s->what == Step::What::issue)
        used(*s);
    if (g_.ideal)
        betweenTicks(s);
    ++tick_;
    if (s)
        depart(*s);
}

/// `s` has left stage D.
void Hierarchy::depart(const Step &s) {
    if (s.what == Step::What::cold)
        emptyAll();
    if (ahead_ && flushTick_ == s.tick)
        ++ahead_; // a third one was read in that tick, as stage D moved on
    if (s.what == Step::What::issue && s.kind != Kind::other && s.kind != Kind::barrier)
        executing_ = {s.kind, s.locks, s.stored, s.address};
    if (s.what == Step::What::trap)
        locks_.fall();
    lastTick_ = s.tick;
}

/// docs/explanation/core.md, the order of owners.
Wait Hierarchy::why(const Step &s) const {
    if (missing_) {
        const uint64_t block = blockOf(s.pc);
        const bool wasAwaited = flushTick_ == tick_ && flushed_ == block;
        const bool recalled = iComes_ != never;
        return (awaited(block) || wasAwaited) && !recalled ? Wait::stream : Wait::demand;
    }
    if (!there_)
        return lost_                           ? Wait::lost
               : refilled_                     ? Wait::refilled
               : s.arrival == Arrival::cold    ? Wait::demand
               : s.arrival == Arrival::trapped ? Wait::trapped
                                               : Wait::redirected;
    if (ioDrains_)
        return Wait::io;
    if (storeWaits_ != noBlock || storeWaited_)
        return Wait::bufferFull;
    if (locks_.holds(tick_))
        return Wait::barrier;
    if (s.kind == Kind::barrier)
        return Wait::barrier;
    return Wait::memoryPort;
}

/// At the end of a tick: whether an instruction of this kind stays in stage D.
bool Hierarchy::holdsAccess(Kind kind) const {
    switch (kind) {
    case Kind::load:
    case Kind::store:
    case Kind::conditional:
    case Kind::io:
        return fills();
    case Kind::barrier:
        return undrained();
    default:
        return false;
    }
}

uint64_t Hierarchy::next(const Step *wanted) const {
    const bool drains =
        wanted && there_ && (wanted->kind == Kind::barrier || wanted->what == Step::What::cold);
    // Conditions that `step` works on, and those it remembers of the tick before.
    if (executing_.kind != Kind::other || locks_.waits() || (ioDrains_ && buffer_.empty()) ||
        (storeWaits_ == noBlock ? storeWaited_ : buffer_.inUse < entries_) ||
        (drains && wasEmpty_ != buffer_.empty()) ||
        (g_.ideal && (failedBetween_ || storedBetween_ || !front_.rests())))
        return tick_;
    if (private_ && private_->stirs(tick_))
        return tick_;
    uint64_t first = private_ ? private_->next(tick_) : bus_.next();
    first = std::min({first, iComes_, dComes_});
    if (locks_.holds(tick_))
        first = std::min(first, locks_.over());
    if (wanted && !there_ && !missing_)
        first = std::min(first, inD_);
    if (private_ ? !private_->busy() : !bus_.busy()) {
        if ((fills() && dComes_ == never) || (wanted && missing_ && iComes_ == never))
            return tick_;
        if (streamWanted_)
            first = std::min(first, streamAt_);
        if (!buffer_.empty())
            first = drains || ioDrains_ || buffer_.inUse >= drainAt_
                        ? tick_
                        : std::min(first, buffer_.idleFrom + g_.idleTicks);
    }
    return std::max(first, tick_);
}

/// Step one tick. The state when the tick began decides; its events count from the next tick on.
void Hierarchy::step(const Step *wanted) {
    tickEvents_ = {};
    if (failedBetween_) {
        failedBetween_ = false;
        note(TickEvents::accessFailed);
    }
    if (storedBetween_) {
        storedBetween_ = false;
        event(Event::writeBufferAccesses);
    }
    frontQuiet_ = !streamWanted_ && !streamOnBus_;
    storeWaited_ = storeWaits_ != noBlock;
    wasEmpty_ = buffer_.empty();
    storing_ = storeWaits_;
    demand_ = noBlock;
    drains_ = writeTaken_ = flushes_ = flushesAll_ = false;
    answered_ = private_ ? private_->begin(tick_) : bus_.begin(tick_);
    answers_ = private_ ? private_->block() : bus_.block();
    loadEnds_ = answers(Purpose::load) || dComes_ == tick_;
    if (loadEnds_ && !fillStores_)
        note(TickEvents::loadFilled);
    if ((answers(Purpose::load) || answers(Purpose::write)) && !inRam(answers_))
        note(TickEvents::accessFailed);
    if (private_)
        coherent();
    if (ioDrains_) {
        drains_ = true;
        ioDrains_ = !buffer_.empty();
    }
    if (locks_.waits())
        conditional();
    if (executing_.kind != Kind::other)
        execute();
    if (bus_.dmaEnds())
        note(TickEvents::dmaEnds);
    if (bus_.wrote() != noBlock)
        locks_.written(tick_, bus_.wrote());
    if (wanted)
        fetch(*wanted);
    arbitrate();
    store();
    endOfTick(wanted);
}

/// Stage E1.
void Hierarchy::execute() {
    const uint64_t block = blockOf(executing_.address);
    switch (executing_.kind) {
    case Kind::load:
        event(Event::dcacheAccesses);
        if (d_.holds(block)) {
            note(TickEvents::loadHits);
            d_.use(block);
        } else if (dVictims_.take(block)) {
            event(Event::dcacheVictimHits);
            note(TickEvents::loadHitsVictimCache);
            fill_ = block;
            fillSent_ = true;
            dComes_ = tick_ + g_.dVictimTicks;
        } else {
            miss(dMissed_, block, Event::dcacheMisses, Event::dcacheReplacementMisses);
            (g_.ideal ? loadMissed_ : fill_) = block;
        }
        break;
    case Kind::store:
        if (g_.back)
            return storeToCache(block);
        event(Event::writeBufferAccesses);
        storing_ = block;
        d_.use(storing_);
        break;
    case Kind::conditional: // waits from the next tick on
        locks_.begin(tick_, executing_.address,
                     outcomeKnown_ ? std::optional(executing_.stored) : std::nullopt);
        break;
    case Kind::io:
        ioDrains_ = true; // from the next tick on
        break;
    case Kind::returns:
        locks_.fall();
        break;
    case Kind::flushFetch:
        flushes_ = flushesAll_ = true;
        break;
    case Kind::flushSpaces:
        flushes_ = true;
        break;
    default:
        break;
    }
    const bool lost = private_ && private_->lost(tick_) == private_->blockOf(block);
    if (executing_.locks && !lost)
        locks_.take(executing_.address);
    if (executing_.locks && private_) {
        linked_ = executing_.address;
        event(Event::locksLinked);
    }
}

/// A store with a write-back D-cache. What misses comes first; nothing waits for a store that hits.
void Hierarchy::storeToCache(uint64_t block) {
    event(Event::dcacheAccesses);
    note(TickEvents::storeInCacheOnly);
    if (d_.holds(block))
        return d_.change(block);
    miss(dMissed_, block, Event::dcacheMisses, Event::dcacheReplacementMisses);
    event(Event::dcacheStoreMisses);
    fill_ = block;
    fillStores_ = true;
}

/// STx_C waits: an entry of its own, when all before it are gone, unless DMA takes its flag.
void Hierarchy::conditional() {
    drains_ = true;
    if (locks_.refused(tick_)) {
        if (locks_.entered())
            buffer_.pop(); // it was alone
        decided(false);
    } else if (locks_.ready(tick_) && locks_.toIo()) {
        ioDrains_ = true; // from the next tick on
        decided(false);
    } else if (locks_.ready(tick_) && buffer_.empty()) {
        storing_ = blockOf(locks_.address());
    }
}

void Hierarchy::decided(bool stores) {
    locks_.decide(tick_);
    if (private_)
        tickEvents_.events |= bit(Event::locksConditional) | (stores ? 0 : bit(Event::locksFailed));
    note(TickEvents::storeConditionalDecided);
    if (stores)
        note(TickEvents::storeConditionalSucceeds);
}

/// Stage D's instruction: is it there, and if not, where does its block come from?
void Hierarchy::fetch(const Step &wanted) {
    if (tick_ < inD_)
        return;
    if (wanted.lost) { // nothing is demanded; in the next tick stage D knows
        there_ = lost_;
        lost_ = true;
        return;
    }
    const uint64_t block = blockOf(wanted.pc);
    if (g_.ideal) {
        if (!there_ && i_.hasWays())
            reads(wanted);
        there_ = front_.there();
        failed_ = !inRam(block);
        return;
    }
    if (!there_ && !missing_) {
        there_ = failed_ || (ahead_ ? beforeFlush_ : i_).holds(tagOf(wanted));
        missing_ = !there_;
        if (there_ && i_.hasWays())
            reads(wanted);
        if (missing_ && iVictims_.take(block)) {
            event(Event::icacheVictimHits);
            used_[comesTo(tagOf(wanted))] = ~uint32_t{0}; // words count after a miss alone
            iRecalled_ = block;
            iComes_ = tick_ + g_.iVictimTicks;
        } else if (missing_) {
            miss(iMissed_, block, Event::icacheMisses, Event::icacheReplacementMisses);
            used_[comesTo(tagOf(wanted))] = 0;
            if ((streamValid_ && streamBlock_ == block) || awaited(block))
                event(Event::icacheStreamHits);
        }
    }
    if (there_) {
        drains_ |= wanted.kind == Kind::barrier || wanted.what == Step::What::cold;
        return;
    }
    if (recalling() != noBlock) {
        if (iComes_ == tick_)
            tickEvents_.add(static_cast<TickEvents::Bit>(TickEvents::blockArrives |
                                                         TickEvents::blockFromVictimCache));
        return;
    }
    const bool inStream = streamValid_ && streamBlock_ == block;
    if (inStream || (awaited(block) && answers(Purpose::prefetch)) ||
        (demanded_ && answers(Purpose::demand)))
        note(TickEvents::blockArrives);
    else if (!awaited(block) && !demanded_)
        demand_ = block;
}

/// Begin a transaction, one at a time: load, demand, prefetch, write; a write first if the buffer
/// is full or a load waits for it.
void Hierarchy::arbitrate() {
    if (!mayTake()) {
        if (!private_)
            bus_.dmaTakes(tick_, false, tickEvents_);
        return;
    }
    const bool done = answers(Purpose::write);
    const bool wantsLoad = fills() && !fillSent_;
    const bool loadWaits = wantsLoad && buffer_.has(fill_);
    const bool due = drains_ || loadWaits || buffer_.inUse - done >= drainAt_ ||
                     tick_ >= buffer_.idleFrom + g_.idleTicks;
    const bool withheld = locks_.entered() && locks_.falling();
    const bool wantsWrite = buffer_.inUse > buffer_.sending && due && !withheld;
    const bool full = buffer_.inUse == entries_ && !done;
    const bool wantsDemand = demand_ != noBlock;
    const bool wantsPrefetch = streamWanted_ && tick_ >= streamAt_;
    const bool wants = wantsWrite || (wantsLoad && !loadWaits) || wantsDemand || wantsPrefetch;

    if (!private_ && (bus_.dmaTakes(tick_, wants, tickEvents_) || g_.ideal))
        return; // with ideal memory the core's transactions come between two ticks
    if (wantsWrite && (loadWaits || full || !(wantsLoad || wantsDemand || wantsPrefetch))) {
        writeTaken_ = true;
        takes(Purpose::write, buffer_.oldest(buffer_.sending));
    } else if (wantsLoad && !loadWaits) {
        fillSent_ = true;
        const bool dirty = g_.back && inRam(fill_) && d_.victim(fill_);
        if (dirty)
            event(Event::dcacheDirtyMisses);
        takes(Purpose::load, fill_, dirty ? g_.dirtyTicks : 0);
    } else if (wantsDemand) {
        demanded_ = true;
        takes(Purpose::demand, demand_);
    } else if (wantsPrefetch) {
        streamWanted_ = false;
        streamOnBus_ = true;
        takes(Purpose::prefetch, streamBlock_);
    }
}

/// A store joins an entry of its block that is not on the bus, opens one, or waits for one.
void Hierarchy::store() {
    if (storing_ != noBlock) {
        const bool joins =
            g_.buffer && buffer_.has(storing_, unsigned{buffer_.sending} + writeTaken_);
        const bool stored = joins || buffer_.inUse < entries_;
        if (joins)
            event(Event::writeBufferMerges);
        else if (stored)
            buffer_.push(storing_);
        if (locks_.waits())
            locks_.enter();
        else if (stored)
            note(TickEvents::storeBuffered);
        storeWaits_ = stored ? noBlock : storing_;
        if (stored)
            buffer_.idleFrom = tick_ + 1;
    }
    if (answers(Purpose::write)) {
        buffer_.pop();
        buffer_.sending = false;
    }
    buffer_.sending |= writeTaken_;
}

void Hierarchy::endOfTick(const Step *wanted) {
    demandWaits_ = demand_ != noBlock && !demanded_;
    tickEvents_.events |= steady();
    if (private_)
        dropLost();
    if (loadEnds_)
        filled();
    if (noted(TickEvents::storeConditionalSucceeds))
        dropData(tickEvents_.block);
    if (bus_.wrote() != noBlock)
        dropData(blockOf(bus_.wrote()));
    if (answers(Purpose::prefetch)) {
        streamOnBus_ = false;
        streamValid_ = !streamStale_ && inRam(streamBlock_);
        streamStale_ = false;
    }
    if (demand_ != noBlock)
        streamWanted_ = false; // a new miss overtakes it
    if (noted(TickEvents::blockArrives))
        arrived(*wanted);
    if (flushes_)
        flushFetch();
}

/// The D-cache's block is there. One that was dropped on its way displaces, and does not stay.
void Hierarchy::filled() {
    if (g_.dCache && inRam(fill_) && !(private_ && private_->endsOvertaken())) {
        const uint64_t displaced = d_.at(d_.place(fill_));
        dVictims_.enters(displaced);
        d_.put(fill_, fillStores_);
        if (dDropped_)
            d_.drop(fill_);
    }
    fill_ = noBlock;
    dComes_ = never;
    fillSent_ = fillStores_ = dDropped_ = false;
}

/// DMA or STx_C has written this block.
void Hierarchy::dropData(uint64_t block) {
    d_.drop(block);
    dVictims_.drop(block);
    dDropped_ |= dComes_ != never && fill_ == block;
}

/// Where a block of the I-cache comes. A flush in this tick has emptied all of it.
uint64_t Hierarchy::comesTo(uint64_t tag) const {
    return flushes_ || !g_.iCache ? i_.set(tag) : i_.place(tag);
}

/// Stage D's instruction is there: in which way fetching has found it.
void Hierarchy::reads(const Step &step) {
    const uint64_t block = blockOf(step.pc);
    const uint64_t found = (readBefore(step.pc) ? beforeFlush_ : i_).find(block);
    place_ = found == Cache::nowhere ? i_.set(block) : found; // the block of an error is nowhere
}

/// The block that stage D waits for; the next one of its page is wanted after the restart.
void Hierarchy::arrived(const Step &step) {
    const uint64_t block = blockOf(step.pc);
    if (inRam(block)) {
        if (!g_.iCache) {
            i_.empty();
            mapped_.empty();
        }
        const uint64_t place = comesTo(tagOf(step));
        iVictims_.enters(i_.at(place));
        i_.put(place, tagOf(step), false);
        place_ = place;
        mapped_.put(step.line, block);
    } else {
        failed_ = true; // its error is what stage D gets
    }
    there_ = missing_ = demanded_ = false;
    refilled_ = true;
    ahead_ = 0;
    const uint64_t wait = std::max(restart, g_.refillRestart);
    inD_ = tick_ + wait;
    iComes_ = never;
    if (noted(TickEvents::blockFromVictimCache)) // the stream buffer does not see it
        return;
    streamValid_ = false;
    if (g_.prefetch && (block + 1) * g_.blockBytes % g_.pageBytes) {
        streamWanted_ = true;
        streamBlock_ = block + 1;
        streamAt_ = tick_ + wait;
    }
}

/// Stages F2 and F1 have read what follows the flush by one and two instructions, if nothing was
/// missing. A block that comes in this tick is emptied with all others.
void Hierarchy::flushFetch() {
    note(TickEvents::icacheFlushed);
    beforeFlush_ = i_;
    ahead_ = missing_ || refilled_ ? 0 : 2;
    flushTick_ = tick_;
    if (flushesAll_) {
        i_.empty();
        iVictims_.empty();
        mapped_.empty();
    } else {
        i_.dropIf(isOfOneSpace);
        mapped_.emptySpaces();
    }
    streamValid_ = streamWanted_ = false;
    flushed_ = streamOnBus_ && !streamStale_ ? streamBlock_ : noBlock;
    streamStale_ = streamOnBus_;
}

void Hierarchy::emptyAll() {
    i_.empty();
    iVictims_.empty();
    mapped_.empty();
    d_.empty();
    dVictims_.empty();
    bus_.empty();
    if (private_)
        private_->empty();
    streamValid_ = false;
}

/// An instruction issues from its line of the I-cache.
void Hierarchy::used(const Step &s) {
    event(Event::icacheAccesses);
    uint32_t &line = used_[placeOf(s)];
    const uint32_t word = uint32_t{1} << (s.pc & (g_.blockBytes - 1)) / 4;
    if (!(line & word))
        event(Event::fetchFillWords);
    line |= word;
    i_.uses(place_);
}

void Hierarchy::miss(Missed &missed, uint64_t block, Event miss, Event replacement) {
    event(miss);
    const bool lost = private_ && miss == Event::dcacheMisses && inRam(block) && dLost_.take(block);
    if (inRam(block) && missed.again(block))
        event(lost ? Event::dcacheCoherenceMisses : replacement);
}

bool Hierarchy::mayTake() const {
    return private_ ? !private_->busy() : bus_.free(tick_);
}

/// The bus begins a transaction, which acts in this tick; the private cache takes a command, which
/// acts later.
void Hierarchy::takes(Purpose who, uint64_t block, unsigned more) {
    if (private_) {
        if (who == Purpose::write) {
            note(TickEvents::writeSentToPrivateCache);
            tickEvents_.block = block;
        }
        return private_->take(who, block, tick_, who == Purpose::write && locks_.entered());
    }
    acts(who, block);
    bus_.take(who, block, tick_, tickEvents_, more);
}

/// A read takes its data, a write goes to memory.
void Hierarchy::acts(Purpose who, uint64_t block) {
    if (who == Purpose::load && !fillStores_)
        note(TickEvents::loadTaken);
    if (who != Purpose::write)
        return;
    if (locks_.entered()) {
        event(Event::writeBufferAccesses);
        decided(true);
    }
    note(TickEvents::writeReachesMemory);
    tickEvents_.block = block;
}

} // namespace mcpi::memory
