// SPDX-License-Identifier: BSD-2-Clause
// Model of I-cache, stream buffer, D-cache and write buffer above the bus, tick by tick.
//
// It knows the rules of core.md and memory.md, not the RTL. Its caller says what stage D wants,
// when that issues, and when the network adapter asks for the bus. It predicts every access, miss,
// stream hit, replacement miss, merge and transaction. Data it has none. All of it is plain values:
// a copy is independent.
#pragma once
#include <utility>

#include "bus.h"
#include "fetch_ahead.h"
#include "lines.h"
#include "locks.h"
#include "private_cache.h"
#include "victims.h"

namespace mcpi::memory {

constexpr unsigned restart = 3; // from a block's arrival, or a trap, to stage D

class Hierarchy {
  public:
    explicit Hierarchy(const Geometry &geometry);

    /// Stage D wants this step next.
    void begin(const Step &step);
    /// Run the tick `now()`, in which stage D wants `step`, or nothing (null).
    void step(const Step *step);
    /// Ends the tick: the step has issued or trapped (`step`), or waits (null).
    void end(const Step *step);

    // After `step`; with ideal memory loads, stores and fetches happen in `end`.
    const TickEvents &tickEvents() const { return tickEvents_; }
    /// The step is in stage D.
    bool there() const { return there_; }
    uint64_t blockOf(uint64_t address) const { return address >> blockShift_; }
    uint64_t addressOf(uint64_t block) const { return block << blockShift_; }
    /// Its block came with an error.
    bool failed() const { return failed_; }
    /// In which place of the I-cache it has been found: by way, then by set.
    uint64_t placeOf(const Step &step) const { return i_.hasWays() ? place_ : i_.set(tagOf(step)); }
    uint64_t placeOf(uint64_t block) const { return i_.hasWays() ? i_.find(block) : i_.set(block); }
    /// Something of the memory system keeps it there.
    bool holds(const Step &step) const {
        return storeWaits_ != noBlock || storeWaited_ || ioDrains_ || locks_.holds(tick_) ||
               (step.kind != Kind::other && holdsAccess(step.kind));
    }
    /// In this tick the step was fetched, and has no physical address.
    bool loses() const { return lost_ && !there_; }
    /// A barrier would wait for it.
    bool undrained() const { return fills() || !buffer_.empty() || !wasEmpty_; }
    /// Return true if, when the tick began, fetching wanted nothing, nothing came for it, and
    /// nothing was in E1.
    bool frontQuiet() const { return frontQuiet_ && lastTick_ + 1 != tick_; }
    /// Why nothing issues.
    Wait why(const Step &step) const;
    /// STx_C waits to be decided, or has just been.
    bool decides() const { return locks_.holds(tick_); }
    /// The I-cache has this block, the stream buffer, the D-cache: as the tick began, or now.
    bool fetched(uint64_t block) const {
        return i_.holds(block) || (flushes_ && beforeFlush_.holds(block)) || mapped_.has(block) ||
               iVictims_.holds(block) || block == recalling();
    }
    /// The I-cache has this mapped line, and where it was fetched from.
    bool hasLine(uint64_t line) const { return i_.holds(line); }
    uint64_t physicalOf(uint64_t line) const { return mapped_.physical(line); }
    /// The block of memory that this place of the I-cache has; none: noBlock.
    uint64_t fetchedAt(uint64_t place) const {
        const uint64_t tag = i_.at(place);
        return tag != noBlock && isMapped(tag) ? physicalOf(tag) : tag;
    }
    /// Name in the I-cache of the block that the step is in.
    uint64_t tagOf(const Step &s) const { return s.line == noLine ? blockOf(s.pc) : s.line; }
    /// The last flush emptied it of all blocks, not of those of one space alone.
    bool flushesAll() const { return flushesAll_; }
    bool streamed(uint64_t block) const { return streamValid_ && streamBlock_ == block; }
    bool loaded(uint64_t block) const { return d_.holds(block); }
    /// This one is on its way from the I-cache's victim cache; none: noBlock.
    uint64_t recalling() const { return iComes_ == never ? noBlock : iRecalled_; }
    /// Stage D's instruction was read before the I-cache was flushed.
    bool readBefore(uint64_t pc) const {
        return g_.ideal ? pc < oldUntil_ : ahead_ && beforeFlush_.holds(blockOf(pc));
    }
    /// Between two ticks stores go before a fetch.
    bool storesFirst() const { return entries_ == 1; }
    /// A load miss is under way, or with a write-back D-cache a store's.
    bool fills() const { return fill_ != noBlock; }
    /// Its block; `noBlock`: none.
    uint64_t filling() const { return fill_; }
    /// That of a load: a register waits for it.
    bool loadFills() const { return fills() && !fillStores_; }
    /// The device's access may begin: stores before it are out.
    bool drained() const { return !ioDrains_; }

    uint64_t now() const { return tick_; }
    /// In this tick stage D predicts what follows: only ideal memory has to know.
    void follow(uint64_t pc, unsigned penalty) { front_.follow(pc, penalty); }
    /// The step may come into stage D in this tick; else only what is under way goes on.
    bool looks() const { return tick_ >= inD_ && !there_ && !missing_; }
    /// The first tick, `now()` at the earliest, in which anything may change, if stage D goes on
    /// waiting for `step`, or for nothing. In those before it each tick counts `steady()`, and
    /// `holds` and `why` stay as they are.
    uint64_t next(const Step *step) const;
    Events steady() const {
        if (private_)
            return private_->busy() ? bit(Event::busCoreTicks) : 0;
        const bool waits = g_.back && bus_.ofDma() && ((fills() && !fillSent_) || demandWaits_);
        return bus_.steady() | (waits ? bit(Event::busCoreWaitsDma) : 0);
    }
    /// So many such ticks pass.
    void skip(uint64_t ticks) {
        tick_ += ticks;
        tickEvents_ = {};
    }

    /// The tick before took no time for bus, stream buffer, write buffer and victim caches: what
    /// they wait for comes a tick later.
    void standsStill() {
        bus_.standsStill();
        ++streamAt_;
        ++buffer_.idleFrom;
        iComes_ += iComes_ != never;
        dComes_ += dComes_ != never;
    }

    // Ticks of a core that is alone with its caches (`glide`, exact-engine.md). In them nothing
    // acts but stage E1 and stage D; whatever else there is, `step` does.
    /// Return true if the machine has such ticks.
    bool glides() const {
        return g_.iCache && g_.dCache && g_.buffer && !i_.hasWays() && !d_.hasWays() &&
               !g_.iVictims && !g_.dVictims && !(g_.ideal && (private_ || g_.back));
    }
    /// Nothing is under way that `step` alone knows.
    bool calm() const {
        return !locks_.waits() && !locks_.holds(tick_) && !ioDrains_ && !ahead_ && !failed_ &&
               !lost_ && iComes_ == never && dComes_ == never && !failedBetween_ &&
               !storedBetween_ && !oldUntil_;
    }
    /// The first tick, `now()` at the earliest, in which something begins or ends by itself.
    uint64_t horizon() const {
        if (storeWaits_ == noBlock ? storeWaited_ : buffer_.inUse < entries_)
            return tick_;
        uint64_t first = private_ ? private_->next(tick_) : bus_.next();
        if (private_ ? private_->busy() : bus_.busy())
            return std::max(first, tick_);
        if (fills() || missing_)
            return tick_;
        if (streamWanted_)
            first = std::min(first, streamAt_);
        if (!buffer_.empty())
            first = buffer_.inUse >= drainAt_ ? tick_
                                              : std::min(first, buffer_.idleFrom + g_.idleTicks);
        return std::max(first, tick_);
    }
    /// Kind of what is in stage E1.
    Kind executing() const { return executing_.kind; }
    /// It needs nothing but a cache that has its block, or room in the write buffer.
    template <bool Ideal> bool executesAlone() const {
        const uint64_t block = blockOf(executing_.address);
        switch (executing_.kind) {
        case Kind::load:
            return Ideal ? inRam(block) : d_.holds(block);
        case Kind::store:
            return Ideal     ? inRam(block)
                   : g_.back ? d_.holds(block)
                             : buffer_.inUse < entries_ || buffer_.has(block, buffer_.sending);
        default:
            return false;
        }
    }
    /// It does so in this tick: its events.
    template <bool Ideal> Events executeAlone() {
        const uint64_t block = blockOf(executing_.address);
        const Kind kind = std::exchange(executing_.kind, Kind::other);
        if (kind == Kind::load) {
            if (Ideal && !d_.holds(block)) {
                miss(dMissed_, block, Event::dcacheMisses, Event::dcacheReplacementMisses);
                loadMissed_ = block;
            }
            if (!executing_.locks)
                return bit(Event::dcacheAccesses);
            locks_.take(executing_.address);
            if (!private_)
                return bit(Event::dcacheAccesses);
            linked_ = executing_.address;
            return bit(Event::dcacheAccesses) | bit(Event::locksLinked);
        }
        if (g_.back) {
            d_.change(block);
            return bit(Event::dcacheAccesses);
        }
        const bool joins = buffer_.has(block, buffer_.sending);
        if (!joins)
            buffer_.push(block);
        buffer_.idleFrom = tick_ + 1;
        return bit(Event::writeBufferAccesses) | (joins ? bit(Event::writeBufferMerges) : 0);
    }
    /// Stage D has waited for its instruction since a tick before; or does so until `inD()`.
    bool missing() const { return missing_; }
    uint64_t inD() const { return inD_; }
    /// The I-cache has its block.
    bool hits(const Step &wanted) const { return i_.holds(tagOf(wanted)); }
    /// It issues; in stage E1 it will be of this kind: its events. Then stage D wants another.
    Events issueAlone(const Step &issued, Kind kind, bool locks) {
        uint32_t &line = used_[i_.set(tagOf(issued))];
        const uint32_t word = uint32_t{1} << (issued.pc & (g_.blockBytes - 1)) / 4;
        const Events events =
            bit(Event::icacheAccesses) | (line & word ? 0 : bit(Event::fetchFillWords));
        line |= word;
        executing_ = {kind, locks, false, issued.address};
        lastTick_ = tick_;
        inD_ = tick_ + 1;
        there_ = missing_ = demanded_ = refilled_ = failed_ = lost_ = demandWaits_ = false;
        return events;
    }
    /// It comes so many ticks later, after a redirection.
    void turns(uint64_t pc, unsigned penalty) {
        inD_ += penalty;
        if (g_.ideal)
            front_.redirect(pc, penalty - restart);
    }
    /// With ideal memory: a tick begins, and ends as `end` has it; `issued`: if a step has issued.
    void beginsIdeal() {
        tickEvents_ = {};
        flushes_ = false;
    }
    void endsIdeal(const Step *issued) { betweenTicks(issued); }
    /// The fetch unit has stage D's instruction; each further tick is like this one as long as it
    /// stays; the load in stage E1 reads when the tick is over.
    bool fetchedAhead() const { return front_.there(); }
    bool fetchRests() const { return front_.rests(); }
    bool loadMissed() const { return loadMissed_ != noBlock; }
    /// `runAlone` knows all of this tick: no transaction of DMA, and none that ends where no memory
    /// is.
    bool runsAlone() const {
        return !g_.ideal && !g_.back &&
               (private_ ? private_->ofCoreAlone() : bus_.ofCoreAlone(tick_)) &&
               (executing_.kind == Kind::other || executing_.kind == Kind::store ||
                (executing_.kind == Kind::load && !executing_.locks));
    }
    /// Run a tick that it knows, as `step` would; without the events of `steady()`.
    void runAlone(const Step &wanted);
    /// A store waits for the write buffer, or did so when the tick began.
    bool storeWaits() const { return storeWaits_ != noBlock || storeWaited_; }
    void passAlone(uint64_t tick) { tick_ = tick; }
    /// So many ticks pass, in which stage D's instructions come as they did before.
    void repeats(uint64_t ticks) {
        tick_ += ticks;
        lastTick_ += ticks;
        inD_ += ticks;
    }
    /// Back to `step`, which looks at stage D's instruction anew.
    void land() {
        there_ = false;
        tickEvents_ = {};
    }
    /// Ticks of the shortest way from stage E1 to stage D.
    unsigned penaltyOf(const Step &step) const {
        return step.penalty.value_or(std::max(restart, g_.takenPenalty));
    }

    // Contents, for who looks on.
    const Cache &icache() const { return i_; }
    const Cache &dcache() const { return d_; }
    const WriteBuffer &writeBuffer() const { return buffer_; }
    /// The network adapter asks for it there.
    Bus &bus() { return bus_; }
    const Bus &bus() const { return bus_; }
    /// The core's own b-cache, if it has one: then `bus()` is not used.
    PrivateCache *privateCache() { return private_ ? &*private_ : nullptr; }
    const PrivateCache *privateCache() const { return private_ ? &*private_ : nullptr; }
    /// A block that is fetched has its words already, and is not there yet.
    bool coming(uint64_t block) const { return private_ && private_->fetches(block); }
    /// The address that the last LDx_L named.
    uint64_t linked() const { return linked_; }
    /// STx_C comes out as its step says.
    void takeOutcomeFromStep() { outcomeKnown_ = true; }
    /// From now on no block has been resident.
    void forget();

  private:
    void executesWithBus();
    bool fetchesWithBus(const Step &wanted);
    void takesAlone();
    void depart(const Step &step);
    bool holdsAccess(Kind kind) const;
    void execute();
    void fetch(const Step &wanted);
    void storeToCache(uint64_t block);
    void conditional();
    void decided(bool stores);
    void arbitrate();
    void coherent();
    bool mayTake() const;
    void takes(Purpose who, uint64_t block, unsigned more = 0);
    void acts(Purpose who, uint64_t block);
    void dropLost();
    void dropData(uint64_t block);
    void filled();
    struct Front;
    void betweenTicks(const Step *step);
    void sendStores();
    void store();
    void endOfTick(const Step *wanted);
    uint64_t comesTo(uint64_t tag) const;
    void reads(const Step &step);
    void arrived(const Step &step);
    void flushFetch();
    void emptyAll();
    void used(const Step &step);
    void miss(Missed &missed, uint64_t block, Event miss, Event replacement);
    /// The block comes, or is on its way into the stream buffer.
    bool awaited(uint64_t block) const {
        return streamOnBus_ && !streamStale_ && streamBlock_ == block;
    }
    bool answers(Purpose who) const { return answered_ == who; }
    void event(Event event) { tickEvents_.add(event); }
    void note(TickEvents::Bit what) { tickEvents_.add(what); }
    bool noted(TickEvents::Bit what) const { return tickEvents_.has(what); }
    /// The block's number as the I-cache knows it.
    bool inRam(uint64_t block) const { return bus_.inRam(block); }

    Geometry g_;
    unsigned blockShift_, entries_, drainAt_;
    Bus bus_;
    std::optional<PrivateCache> private_;
    Cache i_, d_;
    Victims iVictims_, dVictims_;
    MappedLines mapped_; ///< of the I-cache
    Missed iMissed_, dMissed_;
    Lost dLost_; ///< with a b-cache of its own: what others have taken
    WriteBuffer buffer_;
    std::vector<uint32_t> used_; ///< words by place in the I-cache, since its fill: one bit each

    uint64_t tick_ = 0;     ///< the current one
    uint64_t lastTick_ = 0; ///< of the step before
    struct {
        Kind kind = Kind::other;
        bool locks = false, stored = false;
        uint64_t address = 0;
    } executing_; ///< in stage E1, if it does anything there

    // The instruction that stage D wants.
    uint64_t inD_ = 0; ///< the tick in which it is there, or in which its miss begins
    bool there_ = false, missing_ = false, demanded_ = false, refilled_ = false, failed_ = false;
    bool lost_ = false;  ///< it has no physical address: its trap comes
    uint64_t place_ = 0; ///< of several ways: where the I-cache has it
    unsigned ahead_ = 0; ///< so many instructions had been read when the I-cache was flushed
    Cache beforeFlush_;
    uint64_t flushTick_ = 0;
    uint64_t flushed_ = noBlock; ///< what the stream buffer awaited when it was flushed

    // Stream buffer.
    uint64_t streamBlock_ = 0, streamAt_ = 0; ///< what it has or wants; from when it asks
    bool streamValid_ = false, streamWanted_ = false, streamOnBus_ = false, streamStale_ = false;

    // Loads and stores that wait.
    uint64_t fill_ = noBlock, storeWaits_ = noBlock; ///< their blocks
    Locks locks_;
    uint64_t iComes_ = never, dComes_ = never; ///< when a block is there from a victim cache
    uint64_t iRecalled_ = noBlock;             ///< that of the I-cache; the D-cache's is `fill_`
    bool dDropped_ = false;                    ///< it has been dropped on its way
    uint64_t linked_ = 0;
    bool outcomeKnown_ = false; ///< how STx_C comes out
    bool fillSent_ = false, fillStores_ = false, ioDrains_ = false;
    bool demandWaits_ = false; ///< for the bus

    // With ideal memory.
    FetchAhead front_;
    uint64_t loadMissed_ = noBlock;
    uint64_t oldUntil_ = 0;      ///< instructions before it were read before the I-cache's flush
    bool failedBetween_ = false; ///< what was asked for in the tick before
    bool storedBetween_ = false; ///< STx_C, after the tick before

    // State of the current tick.
    bool frontQuiet_ = true; ///< when it began
    TickEvents tickEvents_;
    Purpose answered_ = Purpose::nobody;
    bool loadEnds_ = false;
    uint64_t answers_ = noBlock;                 ///< its block
    bool storeWaited_ = false, wasEmpty_ = true; ///< when it began
    bool drains_ = false, writeTaken_ = false, flushes_ = false, flushesAll_ = false;
    uint64_t storing_ = noBlock, demand_ = noBlock; ///< blocks
};

} // namespace mcpi::memory
