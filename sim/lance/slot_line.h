// SPDX-License-Identifier: BSD-2-Clause
// The interrupt line of a TURBOchannel slot: the host takes a level a tick later (lance.md).
#pragma once
#include <cstdint>

#include "turbochannel.h"

namespace mcpi::exact {

class SlotLine {
  public:
    /// Set the level that the option drives, in a tick in which it may change. Return true if it
    /// rises.
    bool drive(uint64_t tick, bool level) {
        if (at_ <= tick)
            line_ = level_;
        const bool rises = level && !level_;
        level_ = level;
        at_ = level_ == line_ ? never : tick + 1;
        return rises;
    }
    /// The level that the host has taken.
    bool line() const { return line_; }
    uint64_t next() const { return at_; }

  private:
    bool level_ = false, line_ = false;
    uint64_t at_ = never;
};

} // namespace mcpi::exact
