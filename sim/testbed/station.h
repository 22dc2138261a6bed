// SPDX-License-Identifier: BSD-2-Clause
// A node alone on a wire, whichever engine lives it: what an external peer needs of it.
#pragma once
#include <cstdint>
#include <string>

#include "link/port.h"

namespace mcpi {

class Station {
  public:
    virtual ~Station() = default;

    /// So many ticks from now on in which it only counts them and hears nothing.
    virtual uint64_t quietTicks(const Port &wire) const = 0;
    /// Lives up to this tick. RunError says what went wrong.
    virtual void advance(uint64_t until, Port &wire) = 0;
    /// RunError if it has not ended and has done nothing for `patience` ticks.
    virtual void checkHang(uint64_t now, uint64_t patience) = 0;
    /// The guest's exit code, as of this tick; -1: it runs.
    virtual int exitCode(uint64_t now) const = 0;
    virtual uint64_t issued() const = 0;
    /// A byte of RAM, as DMA would see it.
    virtual uint8_t byteAt(uint64_t address) const = 0;
    /// The text that the guest has printed so far.
    virtual const std::string &console() = 0;
    /// For the report of a run that went wrong.
    virtual std::string recent() const { return {}; }
};

} // namespace mcpi
