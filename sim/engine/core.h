// SPDX-License-Identifier: BSD-2-Clause
// The processor, executing: what each tick belongs to, and what every instruction does.
//
// One tick at a time, or many idle ones at once. The instruction in stage D waits for its block,
// its operands, the memory port; when nothing holds it, it issues and is executed then, except for
// what is known later: a load that misses reads memory when the bus takes it, STx_C when the bus
// decides it, an access to a device when the device answers.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/machine.h"
#include "models/alpha/cpu.h"
#include "models/memory/hierarchy.h"
#include "models/pipeline/latencies.h"
#include "owner.h"

namespace mcpi::exact {

/// Devices as the core's I/O bus reaches them.
class IoBus {
  public:
    virtual ~IoBus() = default;
    /// An access of 4 or 8 bytes begins in `tick`.
    virtual void begin(uint64_t tick, uint64_t address, unsigned bytes, bool write,
                       uint64_t value) = 0;
    /// It is answered in `tick`.
    virtual bool answers(uint64_t tick) = 0;
    /// Its effect, in the tick of the answer. False: nothing answers there, a machine check.
    virtual bool read(uint64_t tick, uint64_t address, unsigned bytes, uint64_t &value) = 0;
    virtual bool write(uint64_t tick, uint64_t address, unsigned bytes, uint64_t value) = 0;
    /// Interrupt lines in `tick`, one bit per source.
    virtual uint64_t lines(uint64_t tick) = 0;
};

/// What a tick was, for counters, logs and windows.
struct Lived {
    uint64_t tick = 0;
    Owner owner = Owner::idle;
    uint64_t pc = 0;                    ///< physical, of what issued
    std::vector<const char *> counters; ///< that move in it
};

class Core : private alpha::Outside {
  public:
    Core(const Machine &machine, alpha::Ram &ram, IoBus &io);

    void reset(uint64_t start);
    /// Lives one tick.
    const Lived &live();
    uint64_t now() const { return memory_.now(); }
    /// Caches and bus, for DMA.
    memory::Hierarchy &memory() { return memory_; }
    bool halted() const { return cpu_.halted; }

  private:
    struct Register {
        uint64_t at = 0; ///< the tick its maker issued
        pipeline::Maker maker = pipeline::Maker::old;
        uint64_t load = 0; ///< which load
    };

    void next(memory::Arrival arrival);
    void operands();
    void need(const pipeline::Source &source);
    void decode();
    void addressed();
    [[noreturn]] void notYet(const char *what) const;
    void issue();
    void execute();
    void loads();
    void writes(uint64_t block);
    template <typename Enter> void trap(Enter enter);
    bool unaligned() const;
    void decided(bool stores);
    void answered();
    Owner owner() const;

    bool read(uint64_t physical, unsigned bytes, uint64_t &value) override;
    bool write(uint64_t physical, unsigned bytes, uint64_t value) override;
    uint64_t interrupts() override { return hirr_; }
    uint64_t cycles() override { return counting_ ? memory_.now() - zero_ : count_; }
    void setCycles(uint32_t count, bool counting) override;

    alpha::Cpu cpu_;
    IoBus &io_;
    memory::Hierarchy memory_;
    Lived lived_;
    pipeline::Latencies latencies_;
    uint64_t blockBytes_;

    memory::Step step_; ///< what stage D wants
    uint32_t word_ = 0;
    pipeline::Decoded decoded_;
    memory::Operands wanted_;
    struct Need {
        uint64_t from; ///< the tick from which it is there
        bool fill;     ///< or the load miss that must have ended
        Owner owner;   ///< of the ticks until then
    };
    std::array<Need, 6> needed_{};
    unsigned needs_ = 0;
    std::array<Register, 32> registers_;
    uint64_t loads_ = 0, multiplier_ = 0;
    bool palcode_ = false; ///< the step before enters or leaves PALcode
    bool decodes_ = false, takenBranch_ = false, illegal_ = false, accesses_ = false;
    bool stores_ = false;
    int64_t displacement_ = 0;
    uint64_t tested_ = 0, address_ = 0;
    unsigned bytes_ = 8;
    struct Conditional {
        unsigned reg;
        uint64_t value, address;
        unsigned bytes;
    } conditional_{};
    struct {
        unsigned reg;
        uint64_t address;
        unsigned bytes;
    } loading_{}; ///< the load that has not read
    struct Store {
        uint64_t address, value;
        unsigned bytes;
        bool buffered; ///< it has its entry of the write buffer
    };
    std::deque<Store> stored_; ///< what has not reached memory, the oldest first

    static constexpr uint64_t never = ~uint64_t{0};
    enum class Io { none, draining, running } device_ = Io::none;
    uint64_t ioIssued_ = 0, ioDone_ = 0, ioAddress_ = 0, ioValue_ = 0;
    unsigned ioRegister_ = 31, ioBytes_ = 8;
    bool ioWrite_ = false;
    uint64_t hirr_ = 0;
    uint64_t zero_ = 0;
    uint32_t count_ = 0;
    bool counting_ = true;
};

} // namespace mcpi::exact
