// SPDX-License-Identifier: BSD-2-Clause
// Model of I-cache, stream buffer, D-cache, write buffer, bus and b-cache, tick by tick.
//
// It knows the rules of core.md and memory.md, not the RTL. It is told what stage D wants, when
// that issues, and when the network adapter asks for the bus. It predicts every access, miss,
// stream hit, replacement miss, merge and transaction. Data it has none. All of it is plain values:
// a copy lives on by itself.
#pragma once
#include "events.h"
#include "fetch_ahead.h"
#include "locks.h"
#include "parts.h"
#include "trace.h"

namespace mcpi::memory {

constexpr uint64_t never = ~uint64_t{0};

/// What happened in a tick: events, and what else, a bit each. Who looks at it after the tick goes
/// in this order.
struct Happened {
    enum What : uint16_t {
        loadHits = 1 << 0,  ///< a load reads, in stage E1
        dmaEnds = 1 << 1,   ///< a write of DMA is in memory from here on
        loadTaken = 1 << 2, ///< a load that misses reads, as the bus takes it
        dmaTaken = 1 << 3,  ///< a read of DMA reads
        written = 1 << 4,   ///< what the write buffer has of `block` goes to memory
        buffered = 1 << 5,  ///< the oldest store that has no entry of the write buffer gets it
        filled = 1 << 6,    ///< the load miss is answered
        decided = 1 << 7,   ///< STx_C is
        stores = 1 << 8,    ///< and it does store
        arrives = 1 << 9,   ///< block `arrival`, for which stage D waits
        failed = 1 << 10    ///< a load or write is answered with an error: no memory is there
    };

    Events events = 0;
    Events again = 0; ///< those that happened twice: ideal memory uses the bus more than once
    uint16_t what = 0;
    uint64_t block = noBlock, arrival = noBlock;
    bool has(What other) const { return what & other; }
};

class Hierarchy {
  public:
    explicit Hierarchy(const Geometry &geometry);

    /// Stage D wants this step next.
    void begin(const Step &step);
    /// Lives the tick `now()`, in which stage D wants `step`, or nothing (null).
    void live(const Step *step);
    /// Ends the tick: the step has issued or trapped (`step`), or waits (null). With ideal memory
    /// the core's transactions come here: `loadTaken`, and `written` for all in the write buffer.
    void end(const Step *step);

    // After `live`:
    const Happened &happened() const { return happened_; }
    /// The step is in stage D.
    bool there() const { return there_; }
    /// Its block came with an error.
    bool failed() const { return failed_; }
    /// Something of the memory system keeps it there.
    bool holds(const Step &step) const {
        return storeWaits_ != noBlock || storeWaited_ || ioDrains_ || locks_.holds(tick_) ||
               ((step.kind != Kind::other || step.what == Step::What::cold) && holdsStep(step));
    }
    /// A barrier would wait for it.
    bool undrained() const { return fills() || !buffer_.empty() || !wasEmpty_; }
    /// Why nothing issues.
    Wait why(const Step &step) const;
    /// STx_C waits to be decided, or has just been.
    bool decides() const { return locks_.holds(tick_); }
    /// A load miss is under way.
    bool fills() const { return fill_ != noBlock; }
    /// The device's access may begin: stores before it are out.
    bool drained() const { return !ioDrains_; }
    /// The fetch unit wants nothing and nothing comes for it, as the tick began; nothing is in E1.
    bool frontQuiet() const { return frontQuiet_ && !inE1_; }
    /// A write of DMA to this block is under way.
    bool dmaWrites(uint64_t address) const {
        return dmaDue_ != never && dmaNow_.write && blockOf(dmaNow_.address) == blockOf(address);
    }
    /// In this tick stage D predicts what follows: only ideal memory has to know.
    void follow(uint64_t pc, unsigned penalty) { front_.follow(pc, penalty); }

    uint64_t now() const { return tick_; }
    /// The step may come into stage D in this tick; else only what is under way goes on.
    bool looks() const { return tick_ >= inD_ && !there_ && !missing_; }
    /// The first tick, `now()` at the earliest, in which anything may change, if stage D goes on
    /// waiting for `step`, or for nothing. In those before it each tick counts `steady()`, and
    /// `holds` and `why` stay as they are.
    uint64_t next(const Step *step) const;
    Events steady() const {
        return (core_.due != never ? bit(Event::busCore) : 0) |
               (dmaDue_ != never ? bit(Event::busDma) : 0);
    }
    /// So many such ticks pass.
    void skip(uint64_t ticks) {
        tick_ += ticks;
        happened_ = {};
    }

    /// The network adapter asks for the bus, from `dma.tick` on; one at a time.
    void ask(const Dma &dma) { asks_ = dma; }
    bool asks() const { return asks_.tick != never; }
    /// It gets the bus in the tick to be lived, whoever else wants it.
    void grant(const Dma &dma) {
        ask(dma);
        granted_ = true;
    }
    /// STx_C comes out as its step says.
    void believe() { told_ = true; }
    /// From now on no block has been resident.
    void forget();

  private:
    enum class For : uint8_t { load, demand, prefetch, write, nobody };
    struct Transaction {
        For who = For::nobody;
        uint64_t block = 0, due = never;
    };

    void depart(const Step &step);
    bool holdsStep(const Step &step) const;
    void execute();
    void fetch(const Step &wanted);
    void conditional();
    void decided(bool stores);
    void arbitrate();
    void take(For who, uint64_t block);
    void look(For who, uint64_t block);
    struct Front;
    void betweenTicks(const Step *step);
    void fromBefore();
    void sendStores();
    void takeDma();
    void dmaEnds();
    void store();
    void endOfTick();
    void arrived(uint64_t block);
    void flushFetch();
    void emptyAll();
    void used(uint64_t pc);
    void miss(Missed &missed, uint64_t block, Event miss, Event replacement);
    bool busy() const { return core_.due != never || dmaDue_ != never; }
    /// The block comes, or is on its way into the stream buffer.
    bool awaited(uint64_t block) const {
        return streamOnBus_ && !streamStale_ && streamBlock_ == block;
    }
    bool answers(For who) const { return answered_ == who; }
    void event(Event event) {
        happened_.again |= happened_.events & bit(event);
        happened_.events |= bit(event);
    }
    void happens(Happened::What what) { happened_.what |= what; }
    bool happening(Happened::What what) const { return happened_.has(what); }
    void comes(uint64_t block) {
        happens(Happened::arrives);
        happened_.arrival = block;
    }
    uint64_t blockOf(uint64_t address) const { return address >> blockShift_; }
    bool inRam(uint64_t block) const { return block < ramBlocks_; }

    Geometry g_;
    unsigned blockShift_, entries_, drainAt_;
    uint64_t ramBlocks_;
    Cache i_, d_, b_;
    Missed iMissed_, dMissed_, bMissed_;
    WriteBuffer buffer_;
    std::vector<uint32_t> used_; ///< words by I-cache line, since its fill: one bit each

    uint64_t tick_ = 0;     ///< the one being lived
    uint64_t lastTick_ = 0; ///< of the step before
    struct {
        Kind kind = Kind::other;
        bool locks = false, stored = false;
        uint64_t address = 0;
    } executing_;       ///< in stage E1, if it does anything there
    bool inE1_ = false; ///< something is

    // The instruction that stage D wants.
    uint64_t inD_ = 0; ///< the tick in which it is there, or in which its miss begins
    bool there_ = false, missing_ = false, demanded_ = false, refilled_ = false, failed_ = false;
    unsigned ahead_ = 0; ///< so many instructions had been read when the I-cache was flushed
    Cache beforeFlush_;
    uint64_t flushTick_ = 0;

    // Stream buffer.
    uint64_t streamBlock_ = 0, streamAt_ = 0; ///< what it has or wants; from when it asks
    bool streamValid_ = false, streamWanted_ = false, streamOnBus_ = false, streamStale_ = false;

    // Loads and stores that wait.
    uint64_t fill_ = noBlock, storeWaits_ = noBlock; ///< their blocks
    Locks locks_;
    bool told_ = false; ///< how STx_C comes out
    bool fillSent_ = false, ioDrains_ = false;

    // The bus.
    Transaction core_;
    Dma asks_{never}, dmaNow_;
    uint64_t dmaDue_ = never;
    bool granted_ = false; ///< what asks
    bool dmaLast_ = false; ///< the bus was given to DMA last

    // With ideal memory.
    FetchAhead front_;
    uint64_t loadMissed_ = noBlock, filled_ = noBlock; ///< in the tick, before it
    bool errorNext_ = false;

    // Of the tick being lived.
    bool frontQuiet_ = true; ///< when it began
    Happened happened_;
    For answered_ = For::nobody;
    bool storeWaited_ = false, wasEmpty_ = true; ///< when it began
    bool drains_ = false, writeTaken_ = false, flushes_ = false;
    uint64_t storing_ = noBlock, demand_ = noBlock, dmaWrote_ = noBlock; ///< blocks
};

} // namespace mcpi::memory
