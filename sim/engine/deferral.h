// SPDX-License-Identifier: BSD-2-Clause
// When the wire is free: 9.6 us after a carrier or a frame of one's own (sources/lance.md 1.4).
#pragma once
#include <algorithm>
#include <cstdint>

#include "turbochannel.h"

namespace mcpi::exact {

class Deferral {
  public:
    explicit Deferral(uint64_t nibble) : first_(15 * nibble), all_(24 * nibble) {}

    /// A carrier comes or goes. In the last 3.6 us of the spacing it is overlooked.
    void carrier(uint64_t tick, bool on) {
        settle(tick);
        carrier_ = on;
        if (on && tick >= since_ + first_ && tick < since_ + all_)
            return; // overlooked, until the spacing is over
        busy_ = on;
        if (!on && !overlooked(tick))
            since_ = tick;
    }
    /// A frame of one's own has ended.
    void sent(uint64_t tick) {
        busy_ = false;
        since_ = tick;
    }
    /// The first tick from `tick` on in which a frame may begin that can from `ready` on; `never`
    /// while there is carrier. An overlooked carrier is one for whoever is not ready in time.
    uint64_t free(uint64_t tick, uint64_t ready) {
        settle(tick);
        const uint64_t over = since_ + all_;
        return busy_ || (carrier_ && ready > over) ? never : std::max(over, ready);
    }

  private:
    bool overlooked(uint64_t tick) const { return tick < since_ + all_ && tick >= since_ + first_; }
    /// A carrier that was overlooked is one when the spacing is over.
    void settle(uint64_t tick) {
        if (carrier_ && tick >= since_ + all_)
            busy_ = true;
    }

    uint64_t first_, all_;
    uint64_t since_ = 0; ///< the wire is quiet
    bool carrier_ = false, busy_ = false;
};

} // namespace mcpi::exact
