// SPDX-License-Identifier: BSD-2-Clause
// Machines of a run as a debugger sees them: threads that stand at one tick.
#pragma once
#include <memory>
#include <string>

#include "exact/run/pair.h"

namespace mcpi::debug {

constexpr unsigned mostThreads = 8; ///< as core.count

class Machines {
  public:
    virtual ~Machines() = default;
    /// Make a copy, which goes on by itself.
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
    /// Write the run's files, as of a run that nobody stops. RunError if the run went wrong.
    virtual void writeFiles() const = 0;
    virtual const Machine &machine() const = 0;

    virtual unsigned threads() const = 0;
    /// The threads are cores of one machine; else each is a machine.
    virtual bool together() const { return false; }
    virtual const exact::Core &core(unsigned thread) const = 0;
    virtual Counters counters(unsigned thread) = 0;
    virtual uint64_t issued(unsigned thread) const = 0;
    /// Text that the thread's machine has printed.
    virtual const std::string &console(unsigned thread) = 0;
    virtual int exitCode(unsigned thread) const = 0;
    /// The two machines on a wire; null: there is no wire.
    virtual const exact::Pair *pair() const { return nullptr; }
};

} // namespace mcpi::debug
