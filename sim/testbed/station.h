// SPDX-License-Identifier: BSD-2-Clause
// A node on a wire, with its guest and its counters, whichever engine runs it.
#pragma once
#include <cstdint>
#include <string>

#include "base/program.h"
#include "link/port.h"
#include "measurement.h"

namespace mcpi {

/// Receives the events of stations that decide a measurement.
class StationObserver {
  public:
    virtual ~StationObserver() = default;
    /// The instruction at the marker has issued in this tick.
    virtual void marker(unsigned station, uint64_t tick, const Marker &marker) = 0;
    /// The hardware has begun the cold invocation.
    virtual void coldStart(unsigned station) = 0;
};

class Station : public CounterHost {
  public:
    /// Number of ticks from now on in which it only counts them and hears nothing; 0 without skips.
    virtual uint64_t quietTicks(const Port &wire) const = 0;
    /// Runs up to this tick. RunError says what went wrong.
    virtual void advance(uint64_t until, Port &wire) = 0;
    /// RunError if it has not ended and has done nothing for `patience` ticks.
    virtual void checkHang(uint64_t now, uint64_t patience) = 0;
    /// The guest's exit code, as of this tick; -1: it runs.
    virtual int exitCode(uint64_t now) const = 0;
    /// Instructions that have issued.
    virtual uint64_t issued() const = 0;
    /// Clocks that were simulated; 0: the engine has none.
    virtual uint64_t clocks() const { return 0; }
    /// A byte of RAM, as DMA would see it.
    virtual uint8_t byteAt(uint64_t address) = 0;
    /// The text that the guest has printed so far.
    virtual const std::string &console() = 0;
    virtual const Program &program() const = 0;
    /// Write what was logged, the console, and the state of a node whose guest has not ended well.
    virtual void write(const std::string &folder) = 0;
    /// For the report of a run that went wrong.
    virtual std::string recent() const { return {}; }

    StationObserver *observer = nullptr; ///< null: nobody
};

} // namespace mcpi
