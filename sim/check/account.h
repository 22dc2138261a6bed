// SPDX-License-Identifier: BSD-2-Clause
// Which tick counts where, and sums by counter name that obey it: the oracles' side of
// docs/reference/counters.md.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace mcpi {

/// State of the counting from tick `tick` on.
struct CountingChange {
    uint64_t tick = 0;
    bool cleared = false; ///< counters were cleared before it
    bool counts = true;   ///< not frozen
    bool window = false;  ///< window 1 is open and not paused
};
using CountingHistory = std::vector<CountingChange>;

/// A counter's place in every `Account`; the same name always gives the same.
unsigned counterNumber(const std::string &name);

/// Sums of both banks. Ticks are given in ascending order; those of a tick may come long after it.
class Account {
  public:
    enum Bank { all, path };

    explicit Account(const CountingHistory &history) : history_(history) {}

    /// Everything up to this tick is known; true when there was a clear on the way.
    bool advance(uint64_t tick) {
        bool cleared = false;
        while (next_ < history_.size() && history_[next_].tick <= tick) {
            now_ = history_[next_++];
            if (now_.cleared) {
                for (auto &bank : sums_)
                    std::fill(bank.begin(), bank.end(), 0);
                cleared = true;
            }
        }
        return cleared;
    }
    void add(uint64_t tick, unsigned counter, uint64_t count = 1) {
        advance(tick);
        if (now_.counts)
            addTo(all, counter, count);
        if (now_.counts && now_.window)
            addTo(path, counter, count);
    }
    void addTo(Bank bank, unsigned counter, uint64_t count) {
        auto &sums = sums_[bank];
        if (sums.size() <= counter)
            sums.resize(counter + 1);
        sums[counter] += count;
    }
    void addAll(const Account &other) {
        for (Bank bank : {all, path})
            for (unsigned n = 0; n < other.sums_[bank].size(); ++n)
                addTo(bank, n, other.sums_[bank][n]);
    }
    uint64_t sum(Bank bank, const std::string &name) const {
        const unsigned n = counterNumber(name);
        return n < sums_[bank].size() ? sums_[bank][n] : 0;
    }

  private:
    const CountingHistory &history_;
    std::size_t next_ = 0;
    CountingChange now_;
    std::vector<uint64_t> sums_[2]; ///< by bank and counterNumber
};

} // namespace mcpi
