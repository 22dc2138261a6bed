// SPDX-License-Identifier: BSD-2-Clause
// The processor, executing: what each tick belongs to, and what every instruction does.
//
// The instruction in stage D waits for its block, its operands, the memory port. Ticks in which it
// only waits pass in one step. When nothing holds it, it issues and is executed then, except for
// what is known later: a load that misses reads memory when the bus takes it, STx_C when the bus
// decides it, an access to a device when the device answers.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "alpha/cpu.h"
#include "base/machine.h"
#include "fetched_code.h"
#include "instruction.h"
#include "late_results.h"
#include "latencies.h"
#include "memory/hierarchy.h"
#include "prediction.h"
#include "quick.h"
#include "retire_order.h"
#include "spin.h"

namespace mcpi::exact {

/// Surroundings of the core: devices as its I/O bus reaches them, and the bus's other master.
class IoBus {
  public:
    virtual ~IoBus() = default;
    /// An access of 4 or 8 bytes begins in `tick`.
    virtual void begin(uint64_t tick, uint64_t address, unsigned bytes, bool write,
                       uint64_t value) = 0;
    /// The tick of the answer, `tick` at the earliest; `never`: not known yet.
    virtual uint64_t answers(uint64_t tick) const = 0;
    /// Its effect, in the tick of the answer. False: nothing answers there, a machine check.
    virtual bool read(uint64_t tick, uint64_t address, unsigned bytes, uint64_t &value) = 0;
    virtual bool write(uint64_t tick, uint64_t address, unsigned bytes, uint64_t value) = 0;
    /// Interrupt lines in `tick`, one bit per source.
    virtual uint64_t lines(uint64_t tick) = 0;
    /// Another core has fetched this block.
    virtual bool fetchedElsewhere(uint64_t /*block*/) const { return false; }
    /// The transaction of DMA gets the memory bus in `tick`, or ends in it.
    virtual void dma(uint64_t tick, bool ends) = 0;
};

/// A mark among the events, not counted: the caches are empty from here.
constexpr Events coldStart = Events{1} << eventNames.size();
static_assert(eventNames.size() < 64, "a bit for each event, and one for the cold start");

/// Description of a tick for counters, logs and windows; or of each of `count` ticks in a row, if
/// all are alike. A tick in which something issues or a trap is taken stands alone.
struct TickRun {
    uint64_t tick = 0;  ///< the first
    uint64_t count = 1; ///< each of so many ticks has this owner and these events
    uint64_t pc = 0;    ///< of what issued; bit 0: PAL mode
    Events events = 0;
    Events again = 0; ///< those that happened twice (ideal memory)
    Owner owner = Owner::idle;
    uint8_t core = 0;          ///< of the node
    Cause cause = Cause::none; ///< of what its private b-cache does
};

class Core : private alpha::Outside {
  public:
    /// `number`: which core of its node.
    Core(const Machine &machine, alpha::Ram &ram, IoBus &io, unsigned number = 0);
    /// Copy the other's state, with memory and devices of its own.
    Core(const Core &other, alpha::Ram &ram, IoBus &io);

    void reset(uint64_t start);
    /// Run one tick, or more if all are alike, none from `until` on. The surroundings do nothing
    /// meanwhile; if the interrupt lines have changed since the tick before, run one tick.
    const TickRun &step(uint64_t until);
    /// Run on, as long as the core is alone with its caches, to `until` at most; `sink` takes what
    /// the ticks were (glide.h). The surroundings do nothing meanwhile.
    template <typename Sink> void glide(uint64_t until, Sink &sink);
    /// Step one of several cores: a tick in two halves, or ticks that only pass, up to this one.
    /// Return the description of the ticks. The caller sees to it that nothing happens in ticks
    /// that pass.
    void firstHalf();
    const TickRun &secondHalf();
    const TickRun &skipTo(uint64_t until);
    /// The load that has read last, the store that has issued last.
    struct Moved {
        uint64_t address, value;
        unsigned bytes;
    };
    const Moved &read() const { return read_; }
    uint64_t linked() const { return memory_.linked(); }
    Moved stored() const {
        const Store &s = stored_.back();
        return {s.address, s.value, s.bytes};
    }
    Moved conditional() const {
        return {conditional_.address, conditional_.value, conditional_.bytes};
    }
    bool storing() const { return issuedStore_ + 1 == now(); }
    /// Block that its write buffer, or STx_C, brings to memory in this tick; none: noBlock.
    uint64_t writing() const { return writing_; }
    void write();
    /// Block that it has brought to memory last, and its tick.
    struct Written {
        uint64_t block = memory::noBlock, tick = 0;
    };
    const Written &written() const { return written_; }
    /// It has fetched this block, or is about to.
    bool fetched(uint64_t block) const {
        return memory_.fetched(block) || memory_.streamed(block) || memory_.coming(block);
    }
    /// Memory is about to change there: what has been fetched of it stays as it is.
    void changes(uint64_t block);
    /// The device's access has been given the I/O bus; it may have been answered.
    void accesses();
    uint64_t now() const { return memory_.now(); }
    /// The first tick, `now()` at the earliest, in which it does more than count its ticks.
    uint64_t next() const;
    bool halted() const { return cpu_.halted; }
    /// Somebody counts its ticks in another way from now on.
    void disturb() { spin_.disturb(); }
    /// The last tick took no time: the cycle counter has not counted it. `moves`: caches and bus
    /// moved on meanwhile; else they stood still.
    void vanishes(bool moves) {
        ++count_.zero;
        ++countBefore_.zero;
        if (!moves)
            memory_.standsStill();
    }
    /// These events belong to its next tick.
    void counts(Events events) { later_ |= events; }
    /// The tick in which the next product or value of a device comes.
    uint64_t comesLate() const;
    /// Before this tick it issues nothing, its caches begin nothing, and nothing comes late.
    uint64_t rests() const;
    /// Behind a glide: before this tick its instruction only waits, and nothing comes late.
    uint64_t waits() const { return std::max(now(), waits_); }
    /// The instruction that stage D wants.
    const memory::Step &wanted() const { return step_; }
    /// Stage D waits for a block.
    bool missing() const { return memory_.missing(); }
    /// It runs in a loop that spins: unless it is disturbed, it does so until `rests()`.
    bool spinning() const { return spin_.stage == Spin<Register>::Stage::known; }
    /// An access to a device has issued and is not over: others may see it at any tick.
    bool accessing() const { return device_ != Io::none; }
    const alpha::Cpu &cpu() const { return cpu_; }
    /// The quadword at a physical address of RAM with all stores that have issued.
    uint64_t seen(uint64_t address) const;
    /// Caches and bus, for DMA.
    memory::Hierarchy &memory() { return memory_; }
    const memory::Hierarchy &memory() const { return memory_; }
    /// From now on no block has been resident.
    void forget() { memory_.forget(); }
    /// Before the instruction at this physical address issues next, every cache is emptied, unless
    /// it is in stage D in this tick; the tick in which nothing is under way any more has the event
    /// `coldStart` (counters.md).
    void startCold(uint64_t address) {
        cold_ = address;
        coldFrom_ = now() + 1;
    }
    /// From now on what issues is kept until the next does.
    void watch() { watched_ = true; }
    struct Issued {
        memory::Step step;
        uint64_t address = 0; ///< virtual, of its access
        bool stores = false;
        unsigned target = 31; ///< the register that it writes
        uint64_t before = 0;  ///< what that register held
    };
    const Issued &issued() const { return issued_; }
    /// Value of a register, as whoever needs it will have it.
    uint64_t value(unsigned reg) const;
    /// Value of a register before the instruction that issued last.
    uint64_t before(unsigned reg) const {
        return reg == issued_.target ? issued_.before : value(reg);
    }
    /// The store to the exit register: in which tick it retires, with which code.
    struct Exit {
        uint64_t retires = memory::never;
        unsigned code = 0;
        int64_t number = 0;              ///< of that store
        uint64_t issued = memory::never; ///< in this tick
    };
    const Exit &exit() const { return exit_; }

  private:
    Core(const Core &) = default;

    struct Register {
        uint64_t at = 0; ///< the tick its maker issued
        pipeline::Maker maker = pipeline::Maker::old;
        uint64_t load = 0;  ///< which load
        bool moved = false; ///< by a CMOV in the tick after a load of it
    };

    struct Late {
        uint64_t at = memory::never; ///< the tick in which it is there
        unsigned reg = 31;
    };

    struct Need {
        uint64_t from; ///< the tick from which it is there
        bool fill;     ///< or the load miss that must have ended
        Owner owner;   ///< of the ticks until then
    };
    const Need *firstNeed() const;

    /// Where an address of the program is in memory, if it is not mapped.
    static uint64_t physical(uint64_t address) { return address & physicalMask; }
    // core_translation.cpp
    void fetchesFrom();
    uint64_t translated();
    void uses();
    void fetchMisses();
    void lostTrap();
    void barredTrap();
    void refills(Events miss, Events ticks, uint64_t from);
    void refillEnds();
    uint64_t reaches(uint32_t word, uint64_t address);
    void usesMapped(uint32_t word);
    void fetchesMapped();
    bool waitsForFloor() const {
        return memory_.now() < refill_.returns &&
               instruction_.word >> 26 == alpha::opcode::HW_REI &&
               !(cpu_.internal.exceptionAddress & 1);
    }
    static bool ofMemory(Owner owner);
    static Owner ownerOf(pipeline::Maker maker);
    struct Stuck {
        uint64_t until = 0; ///< not before this tick another condition holds it
        Owner owner = Owner::issue;
    };
    bool quiet() const;
    bool alone() const;
    bool runsAlone() const;
    Stuck stuckAlone(const Quick &q, uint64_t tick) const;
    Stuck needsAlone(const Quick &q, uint64_t tick) const;
    void issueAlone(const Quick &q, uint64_t tick);
    template <bool Ideal> void executeAlone(bool loads);
    template <bool Ideal, typename Sink> void glides(uint64_t until, Sink &sink);
    template <typename Sink> Events endsIdeal(bool issues, Sink &sink);
    template <typename Sink> uint64_t spins(uint64_t tick, uint64_t until, Sink &sink);
    bool sameAround(uint64_t tick);
    void around(uint64_t tick);
    void skipAround(uint64_t times, uint64_t issues, uint64_t loads);
    void busAlone(uint64_t tick);
    void wants(memory::Arrival arrival);
    void pass(uint64_t until);
    void begin(uint64_t count);
    void tick();
    void memoryTick();
    void ending();
    void waits(uint64_t tick, Cause cause);
    void storesConditional();
    void memorysSide();
    void lateResults();
    void ends(const memory::Step *step);
    void betweenTicks();
    uint64_t fetchedWord() const;
    void fetchedIn(uint64_t block, uint64_t place, bool recalled);
    void dma(bool ends);
    uint64_t untilIssue(uint64_t tick) const;
    bool sleeps(uint64_t tick) const;
    static constexpr uint64_t never = memory::never;
    void look();
    void instructionArrived();
    void addressed();
    void operands();
    void need(const pipeline::Source &source);
    const Late &product() const;
    void needsFill();
    void needsTick(uint64_t from, Owner owner);
    void stageD();
    bool traps();
    template <typename Enter> void trap(Enter enter);
    void trapTo(alpha::Vector vector, uint64_t pc);
    void trapsItself();
    void issue();
    void waitsCold();
    void leaveStageD();
    bool keeps() const;
    bool execute();
    void loads(bool hits);
    uint64_t loaded(bool hits) const;
    void writes(uint64_t block);
    void sendToPrivateCache(uint64_t block);
    void buffered();
    void decided(uint64_t tick, bool stores);
    struct IoAccess;
    void exits();
    void toDevice(uint64_t issued, const IoAccess &access);
    void devices(uint64_t tick);
    void answered();
    bool holds() const;
    Owner owner() const;

    bool read(uint64_t physical, unsigned bytes, uint64_t &value) override;
    bool write(uint64_t physical, unsigned bytes, uint64_t value) override;
    uint64_t interrupts() override;
    uint64_t cycles() override;
    void setCycles(uint32_t count, bool counting) override;

    uint8_t number_;
    alpha::Cpu cpu_;
    IoBus *io_;
    memory::Hierarchy memory_;
    Prediction prediction_;
    Decoder decoder_;
    QuickTable quick_;
    FetchedCode fetched_;
    LateResults late_;
    TickRun run_;
    pipeline::Latencies latencies_;
    std::array<std::array<uint8_t, 4>, 6> distance_{}; ///< by maker and use

    // Instruction that stage D wants.
    memory::Step step_;
    Instruction instruction_{0};
    bool arrived_ = false;          ///< it is there
    uint64_t came_ = 0;             ///< since this tick
    std::optional<uint64_t> guess_; ///< where the fetch went on
    std::array<Need, 6> needed_{};
    unsigned needs_ = 0;
    uint64_t address_ = 0;
    bool barred_ = false;          ///< its access has no physical address, or no right
    std::optional<uint64_t> cold_; ///< a cold start comes before the instruction there
    uint64_t coldFrom_ = 0;        ///< if it comes in this tick, or later
    bool quiet_ = false;           ///< when it waited in the tick before, nothing was under way

    // Instructions that have issued.
    bool watched_ = false;
    Issued issued_;
    RetireOrder retirement_;
    uint64_t exitAddress_;
    Exit exit_;
    std::array<Register, 32> registers_;
    Spin<Register> spin_;
    uint64_t loads_ = 0, multiplier_ = 0;
    Late product_, earlier_; ///< of the last multiply; of the one before, which is written first
    Late busResult_;         ///< a result that a bus has decided
    bool loaded_ = false;    ///< in the tick before
    Owner redirection_ = Owner::exception; ///< of the ticks until its target is there
    Events later_ = 0;                     ///< what the next tick counts
    bool pal_ = true;                      ///< the mode, as counted
    bool palNext_ = true;
    uint64_t palAt_ = never;

    // Traps that wait for stage D.
    uint64_t machineCheck_ = never, overflow_ = never; ///< the ticks from which they do
    bool ofPal_ = false;                               ///< the overflow is PALcode's own
    uint64_t checked_ = 0;                             ///< until then a multiply /V is under way

    struct Conditional {
        unsigned reg;
        uint64_t value, address;
        unsigned bytes;
        bool waits; ///< to be decided
    } conditional_{};
    struct {
        unsigned reg;
        uint64_t address;
        unsigned bytes;
        bool waits; ///< it has not read
    } loading_{};   ///< the last load
    struct Store {
        uint64_t address, value;
        unsigned bytes;
        bool buffered;     ///< it has its entry of the write buffer
        bool sent = false; ///< which is on its way to a private b-cache
    };
    std::vector<Store> stored_; ///< what has not reached memory, the oldest first
    uint64_t blockBytes_;
    bool ideal_;
    bool glides_ = false;   ///< the machine has ticks for `glide`
    uint64_t waits_ = 0;    ///< the end of the wait in which the last glide ended
    bool back_;             ///< the D-cache's policy
    bool coherent_ = false; ///< with a private b-cache
    bool passing_ = false;  ///< the tick that has begun only passes
    uint64_t writing_ = memory::noBlock;
    Written written_;
    bool conditionalStores_ = false; ///< and so does STx_C
    uint64_t issuedStore_ = memory::never - 1;
    Moved read_{0, 0, 0}; ///< by the load that has read last
    struct {
        uint64_t block = memory::noBlock;
        std::vector<uint8_t> bytes;
        uint64_t get(uint64_t at, unsigned count) const {
            uint64_t value = 0;
            std::memcpy(&value, &bytes[at], count);
            return value;
        }
        void put(uint64_t at, unsigned count, uint64_t value) {
            std::memcpy(&bytes[at], &value, count);
        }
    } before_; ///< with ideal memory: what the D-cache has of the block that DMA is writing

    bool translates_;
    unsigned floor_;   ///< ticks of a refill, at least
    uint64_t colours_; ///< bits above a page that choose a line of the D-cache
    struct {
        Events ticks = 0;      ///< counted for each of its ticks; 0: there is none
        uint64_t returns = 0;  ///< the first tick in which HW_REI may issue
        uint64_t last = never; ///< its last tick, once HW_REI has issued
    } refill_;

    enum class Io { none, draining, running } device_ = Io::none;
    uint64_t ioIssued_ = 0, ioDone_ = 0;
    struct IoAccess {
        uint64_t address = 0, value = 0;
        unsigned bytes = 8, reg = 31;
        bool write = false;
    } access_;
    uint64_t hirr_ = 0, waitFrom_ = never; ///< the first tick of a sleep

    struct Count {
        uint64_t zero = 0; ///< the tick in which it was, or would have been
        uint32_t value = 0;
        bool runs = true;
    } count_, countBefore_; ///< until `countFrom_`
    uint64_t countFrom_ = 0;
};

} // namespace mcpi::exact
