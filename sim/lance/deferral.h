// SPDX-License-Identifier: BSD-2-Clause
// When the wire is free: 9.6 us after a carrier or a frame of one's own (sources/lance.md 1.4).
#pragma once
#include <algorithm>
#include <cstdint>

#include "turbochannel.h"

namespace mcpi::exact {

class Deferral {
  public:
    explicit Deferral(uint64_t nibble)
        : first_(15 * nibble - 1), all_(24 * nibble), since_(0 - all_) {}

    /// A carrier comes or goes. In the last 3.6 us of the spacing it is overlooked, until the
    /// spacing is over.
    void carrier(uint64_t tick, bool on) {
        settle(tick);
        carrier_ = on;
        if (on && !busy_ && !overlooks(tick)) {
            busy_ = true;
            from_ = tick;
        } else if (!on && busy_) {
            busy_ = false;
            if (tick > from_)
                since_ = tick;
        }
    }
    /// A frame of one's own ends in `tick`; with a carrier after it, or without.
    void sent(uint64_t tick, bool carrier) {
        since_ = tick;
        busy_ = carrier_ = carrier;
        from_ = tick + 1;
    }
    /// The first tick from `tick` on in which a frame may begin that can from `ready` on; `never`
    /// while there is carrier. One that comes in the tick before does not hinder it.
    uint64_t free(uint64_t tick, uint64_t ready) {
        settle(tick);
        const uint64_t over = since_ + all_, first = std::max(over, ready);
        if (busy_)
            return first >= tick && first <= from_ + 1 ? first : never;
        return carrier_ && ready > over ? never : first;
    }

  private:
    bool overlooks(uint64_t tick) const {
        return tick >= since_ + first_ && tick + 1 < since_ + all_;
    }
    /// A carrier that was overlooked is one when the spacing is over.
    void settle(uint64_t tick) {
        if (carrier_ && !busy_ && tick >= since_ + all_) {
            busy_ = true;
            from_ = since_ + all_ - 1;
        }
    }

    uint64_t first_, all_;
    uint64_t since_;    ///< the wire is quiet; at power-on so long that the spacing is over
    uint64_t from_ = 0; ///< the first tick in which the carrier counts
    bool carrier_ = false, busy_ = false;
};

} // namespace mcpi::exact
