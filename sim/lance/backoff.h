// SPDX-License-Identifier: BSD-2-Clause
// Binary exponential backoff of the LANCE, and its random number (lance.md, Half duplex).
#pragma once
#include <algorithm>
#include <cstdint>

#include "turbochannel.h"

namespace mcpi::exact {

class Backoff {
  public:
    explicit Backoff(uint64_t nibble) : slot_(128 * nibble) {}

    /// A block has been read: `address` is its PADR, first wire byte lowest.
    void reseed(uint64_t address) { random_ = address | 1; }
    /// A strobe of the MII: a nibble, or the end of a frame.
    void step() {
        before_ = random_;
        const uint64_t bit = (random_ >> 47 ^ random_ >> 46 ^ random_ >> 20 ^ random_ >> 19) & 1;
        random_ = (random_ << 1 | bit) & 0xFFFFFFFFFFFF;
    }
    /// The `collisions`th attempt of a frame is over with its jam in `tick`.
    void collided(uint64_t tick, unsigned collisions) {
        const uint64_t mask = (1u << std::min(collisions, 10u)) - 1;
        left_ = ((before_ ^ tick) & mask) * slot_;
        since_ = tick;
    }
    void forget() { left_ = 0; }
    /// It does not count from `tick` on, or does again: C-LANCE with EMBA, during carrier.
    void hold(uint64_t tick, bool on) {
        if (on == held_)
            return;
        if (on)
            left_ = over() > tick ? over() - (tick - 1) : 0;
        held_ = on;
        since_ = tick - 1;
    }
    /// The frame may go from this tick on; `never` while it is held.
    uint64_t over() const { return !left_ ? 0 : held_ ? never : since_ + left_; }

  private:
    uint64_t slot_, random_ = 1, before_ = 0; ///< as it was up to the last strobe
    uint64_t left_ = 0, since_ = 0;           ///< ticks to go, from when
    bool held_ = false;
};

} // namespace mcpi::exact
