// SPDX-License-Identifier: BSD-2-Clause
// Trace-driven model of I-cache, stream buffer, D-cache, write buffer, bus and b-cache.
//
// It knows the rules of core.md and memory.md, not the RTL: it is told when instructions
// issued and when the network adapter got the bus, and predicts every access, miss, stream hit,
// replacement miss, merge and transaction.
#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <unordered_set>

#include "events.h"
#include "fetch_ahead.h"
#include "locks.h"
#include "parts.h"
#include "trace.h"

namespace mcpi::memory {

class Hierarchy {
  public:
    explicit Hierarchy(const Geometry &geometry);

    /// In program order; lives through all ticks up to that of the step.
    void step(const Step &step);
    /// The same for a step whose tick is not known: it issues as soon as it is there and no load
    /// miss, full write buffer, barrier or device access before it holds it; a trap is taken as
    /// soon as its instruction is there. STx_C comes out as told. Returns that tick.
    uint64_t paced(Step step, const Operands &operands = {});
    /// What `paced` is made of, for who decides tick by tick. `begin`: stage D wants this step.
    void begin(const Step &step) { arrive(step); }
    /// Lives the tick `now()`, in which stage D wants `step`, or nothing (null).
    void live(const Step *step) {
        if (onTick)
            onTick(tick_);
        oneTick(step);
    }
    /// Behind `live`: the step is in stage D; something of the memory system keeps it there; why
    /// nothing issues.
    bool there() const { return there_; }
    bool holds(const Step &step, const Operands &operands) const {
        return held(step) || tick_ < operands.from || (operands.fill && fill_);
    }
    /// A barrier would wait for it.
    bool undrained() const { return fill_ || !buffer_.blocks.empty() || !wasEmpty_; }
    Wait why(const Step &step, const Operands &operands) const { return reason(step, operands); }
    /// The block it waits for comes in this tick; with ideal memory it came before it.
    const std::optional<uint64_t> &arrival() const { return g_.ideal ? filled_ : arrival_; }
    /// It is there, with its block's error.
    bool failed() const { return failed_; }
    /// A load or write is answered with an error in this tick: no memory is there.
    bool error() const { return error_; }
    /// The load miss is answered in this tick.
    bool filled() const { return answers(For::load); }
    /// STx_C waits to be decided, or has just been.
    bool decides() const { return locks_.holds(tick_); }
    /// A load miss is under way.
    bool fills() const { return fill_.has_value(); }
    /// The device's access may begin: stores before it are out.
    bool drained() const { return !ioDrains_; }
    /// The fetch unit wants nothing and nothing comes for it, as the tick began; nothing is in E1.
    bool frontQuiet() const { return frontQuiet_ && !executing_; }
    /// In this tick stage D predicts what follows: only ideal memory has to know.
    void follow(uint64_t pc, unsigned penalty) { front_.follow(pc, penalty); }
    /// Ends the tick: the step has issued or trapped (`step`), or waits (null).
    void end(const Step *step);
    /// In tick order, each before the step that comes after it.
    void dma(const Dma &d) { dmas_.push_back(d); }
    /// From now on DMA waits for the bus: its ticks are those in which it asks.
    void dmaAsks() { dmaAsks_ = true; }
    /// Lives on to `tick` without a further instruction.
    void finish(uint64_t tick);
    /// From now on no block has been resident.
    void forget();
    /// Every predicted event, by counter name, in the tick it belongs to; ticks never go back.
    std::function<void(uint64_t tick, const char *counter)> onEvent;
    /// STx_C is decided: whether it stores, to memory.
    std::function<void(uint64_t tick, bool stores)> onConditional;
    /// The same of the tick being lived, for who looks at each; copies of this need no function.
    Events happened() const { return happened_; }
    /// Those that happened twice: with ideal memory the bus is used more than once.
    Events again() const { return again_; }
    const std::optional<bool> &decided() const { return decided_; }
    /// The load reads: in stage E1 when it hits, when the bus takes it when it misses.
    std::function<void()> onLoad;
    /// The oldest store that has none has its entry of the write buffer.
    std::function<void()> onStored;
    /// What the write buffer has of this block goes to memory.
    std::function<void(uint64_t block)> onWrite;
    /// DMA has got the bus, or ends: a read is of the tick of the grant, a write is in memory from
    /// its end on.
    std::function<void(uint64_t tick, bool ends)> onDma;
    /// Called before a tick is lived.
    std::function<void(uint64_t tick)> onTick;
    /// Of `paced`: each tick in which nothing issued, and why.
    std::function<void(Wait)> onWait;
    uint64_t now() const { return tick_; }
    /// Nothing is under way or waits: ticks without instructions change nothing.
    bool quiet() const;
    /// So many such ticks at once.
    void skip(uint64_t ticks);

  private:
    enum class For { load, demand, prefetch, write };
    struct Transaction {
        For who;
        uint64_t block, due;
    };

    void arrive(const Step &step);
    void depart(const Step &step);
    bool held(const Step &step) const;
    Wait reason(const Step &step, const Operands &operands) const;
    void live(uint64_t until, const Step *wanted);
    void oneTick(const Step *wanted);
    void execute();
    void fetch(const Step &wanted);
    void conditional();
    void decided(bool stores);
    void arbitrate();
    void take(For who, uint64_t block);
    void takeDma();
    void dmaEnds();
    void store();
    void arrived(uint64_t block);
    void endOfTick();
    void flushFetch();
    void emptyAll();
    void used(uint64_t pc);
    void miss(Cache &cache, uint64_t block, Event miss, Event replacement);
    struct Front;
    void betweenTicks(const Step *step);
    void sendStores();
    void look(For who, uint64_t block);
    unsigned entries() const { return g_.buffer ? g_.bufferEntries : 1; }
    bool answers(For who) const { return answered_ && *answered_ == who; }
    void event(Event event) {
        again_ |= happened_ & bit(event);
        happened_ |= bit(event);
        if (onEvent)
            onEvent(tick_, eventNames[static_cast<unsigned>(event)]);
    }
    uint64_t blockOf(uint64_t address) const { return address / g_.blockBytes; }
    bool inRam(uint64_t block) const { return block < g_.ramBytes / g_.blockBytes; }

    Geometry g_;
    Cache i_, d_, b_;
    WriteBuffer buffer_;
    std::unordered_set<uint64_t> dirty_;  ///< blocks of the b-cache
    std::vector<std::vector<bool>> used_; ///< words by I-cache line, since its fill
    std::deque<Dma> dmas_;

    uint64_t tick_ = 0;             ///< the one being lived
    uint64_t lastTick_ = 0;         ///< of the step before
    std::optional<Step> executing_; ///< issued in the tick before

    // The instruction that stage D wants.
    uint64_t inD_ = 0; ///< the tick in which it is there, or in which its miss begins
    bool there_ = false, missing_ = false, demanded_ = false, refilled_ = false, failed_ = false;
    bool dmaAsks_ = false;
    bool dmaLast_ = false; ///< the bus was given to DMA last
    unsigned ahead_ = 0;   ///< so many instructions had been read when the I-cache was flushed
    Cache beforeFlush_;
    uint64_t flushTick_ = 0;

    // Stream buffer.
    uint64_t streamBlock_ = 0, streamAt_ = 0; ///< what it has or wants; from when it asks
    bool streamValid_ = false, streamWanted_ = false, streamOnBus_ = false, streamStale_ = false;

    // Loads and stores that wait.
    std::optional<uint64_t> fill_, storeWaits_; ///< their blocks
    Locks locks_;
    bool told_ = false; ///< how STx_C comes out
    bool fillSent_ = false, ioDrains_ = false;

    // The bus.
    std::optional<Transaction> core_;
    std::optional<Dma> dmaNow_;
    uint64_t dmaDue_ = 0;

    // With ideal memory.
    FetchAhead front_;
    std::optional<uint64_t> loadMissed_, filled_; ///< blocks
    bool errorNext_ = false;

    // Of the tick being lived.
    bool frontQuiet_ = true; ///< when it began
    Events happened_ = 0, again_ = 0;
    bool error_ = false;
    std::optional<bool> decided_; ///< STx_C: whether it stores
    std::optional<For> answered_;
    std::optional<uint64_t> storing_, arrival_, dropped_; ///< blocks; dropped: STx_C's
    std::optional<uint64_t> dmaWrote_;                    ///< the address
    bool storeWaited_ = false, wasEmpty_ = true;          ///< when it began
    bool wantsDemand_ = false, drains_ = false, writeTaken_ = false, flushes_ = false;
    uint64_t demandBlock_ = 0;
};

} // namespace mcpi::memory
