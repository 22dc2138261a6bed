// SPDX-License-Identifier: BSD-2-Clause
// Machines of a run as a debugger sees them, on any engine: threads that stand at one tick.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alpha/cpu.h"
#include "exact/node/probe.h"
#include "testbed/testbed.h"

namespace mcpi::debug {

class Timeline;

constexpr unsigned mostThreads = 8; ///< as core.count

/// Access of an instruction to memory, if it has run.
struct Access {
    uint64_t physical = 0;
    unsigned bytes = 0;
    bool stores = false;
};

/// The instruction word at `pc`; 0 where no memory is.
inline uint32_t wordAt(const alpha::Cpu &cpu, uint64_t pc) {
    const uint64_t at = pc & physicalMask & ~uint64_t{3};
    return at + 4 <= cpu.ram().size() ? static_cast<uint32_t>(cpu.ram().get(at, 4)) : 0;
}

class Machines {
  public:
    virtual ~Machines() = default;
    /// Make a copy, which goes on by itself. Null: the engine makes none, so time goes forward
    /// alone.
    virtual std::unique_ptr<Machines> copy() const = 0;
    /// Run to this tick or to the end. `probe` looks at each step and may stop the run before.
    virtual void standAt(uint64_t tick, exact::Probe *probe) = 0;
    virtual uint64_t standing() const = 0;
    /// Its parts stand at several ticks: it is of no more use.
    virtual bool apart() const { return false; }
    /// The probe has stopped it.
    virtual bool stopped() const = 0;
    virtual bool ended() const = 0;
    /// Description of what went wrong; empty: nothing.
    virtual const std::string &failure() const = 0;
    /// Leave the run's files, as of a run that nobody stops. RunError if the run went wrong.
    virtual void leaveFiles() = 0;
    /// Names of the owners of ticks, in their order.
    virtual std::vector<std::string> owners() const = 0;

    virtual unsigned threads() const = 0;
    /// The threads are cores of one machine; else each is a machine.
    virtual bool together() const { return false; }
    /// The processor with its mode and place; its registers are those of `value`.
    virtual const alpha::Cpu &cpu(unsigned thread) const = 0;
    /// Value of a register, as whoever needs it will have it.
    virtual uint64_t value(unsigned thread, unsigned reg) const = 0;
    /// Bytes at a physical address with all stores of the thread's core that have run; fewer where
    /// memory ends.
    virtual std::string bytesAt(unsigned thread, uint64_t physical, uint64_t count) = 0;
    /// Access of the instruction at `pc`, which has run last; none: it has none.
    virtual std::optional<Access> accessed(unsigned thread, uint64_t pc) const = 0;
    /// The thread whose store has changed some of these bytes in the last tick; `sees` is one that
    /// sees the change.
    virtual unsigned writer(uint64_t /*physical*/, uint64_t /*bytes*/, unsigned sees) const {
        return sees;
    }
    /// The network controller has written in the last tick.
    virtual bool dmaWrites(unsigned thread) const = 0;
    /// Ticks of each owner so far.
    virtual std::vector<uint64_t> ownerTicks(unsigned thread) = 0;
    virtual Counters counters(unsigned thread) = 0;
    /// Instructions that have issued.
    virtual uint64_t instructions(unsigned thread) const = 0;
    /// Text that the thread's machine has printed.
    virtual const std::string &console(unsigned thread) = 0;
    virtual int exitCode(unsigned thread) const = 0;
    /// The store with which a program has ended itself: its tick and the code; none: it has not.
    struct Exit {
        uint64_t tick = 0;
        unsigned code = 0;
    };
    virtual std::optional<Exit> exit(unsigned thread) const = 0;
    /// The two machines on a wire; null: there is no wire.
    virtual const Testbed *wire() const { return nullptr; }
    /// Answer to a word of `monitor` that the engine alone knows; none: it is not known.
    virtual std::optional<std::string> answer(Timeline &timeline, const std::string &word,
                                              const std::string &argument, unsigned thread) = 0;
};

} // namespace mcpi::debug
