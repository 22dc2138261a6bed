// SPDX-License-Identifier: BSD-2-Clause
// Which tick counts where, and sums by counter name that obey it: the oracles' side of
// docs/counters.md.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mcpi {

/// What holds from tick `tick` on.
struct CountingChange {
    uint64_t tick = 0;
    bool cleared = false; ///< counters were cleared before it
    bool counts = true;   ///< not frozen
    bool window = false;  ///< window 1 is open and not paused
};
using CountingHistory = std::vector<CountingChange>;

/// Sums of both banks. Ticks are given in ascending order; those of a tick may come long after it.
class Account {
  public:
    explicit Account(const CountingHistory &history) : history_(history) {}

    /// Everything up to this tick is known; true when there was a clear on the way.
    bool advance(uint64_t tick) {
        bool cleared = false;
        while (next_ < history_.size() && history_[next_].tick <= tick) {
            now_ = history_[next_++];
            if (now_.cleared) {
                all.clear();
                path.clear();
                cleared = true;
            }
        }
        return cleared;
    }
    void add(uint64_t tick, const std::string &counter, uint64_t count = 1) {
        advance(tick);
        if (now_.counts)
            all[counter] += count;
        if (now_.counts && now_.window)
            path[counter] += count;
    }
    const CountingChange &now() const { return now_; }

    std::map<std::string, uint64_t> all, path;

  private:
    const CountingHistory &history_;
    std::size_t next_ = 0;
    CountingChange now_;
};

} // namespace mcpi
