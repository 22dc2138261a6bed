// SPDX-License-Identifier: BSD-2-Clause
// When an instruction retires: in order, one a tick, none before its value is there (core.md,
// Retire port). Kept so that an issue costs one addition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace mcpi::exact {

class RetireOrder {
  public:
    /// An instruction issues, or a trap takes the place of one.
    void issues() { ++issued_; }
    /// So many instructions issue, the last load among them as far from the end as the last one is.
    void repeats(int64_t issues, bool loads) {
        issued_ += issues;
        load_ += loads ? issues : 0;
    }
    /// It is a load: if it misses, its value comes late.
    void loads() { load_ = issued_; }
    /// The value of that load has come in this tick.
    void filled(uint64_t tick) { late(load_, tick + 1); }
    /// It is a multiply. Its product comes late, that of the one before it is written first.
    void multiplies() {
        if (owed_ == 2)
            throw std::logic_error("a product was not written");
        multiplies_[owed_++] = issued_;
    }
    /// The oldest product that has not been written is, in this tick.
    void written(uint64_t tick) {
        late(multiplies_[0], tick + 1);
        multiplies_[0] = multiplies_[1];
        --owed_;
    }
    /// Number of the instruction that issued last.
    int64_t number() const { return issued_; }
    /// The tick in which number `n` retires, which issued in `tick`; unknown while a product that
    /// may be older has not been written.
    bool knows() const { return !owed_; }
    uint64_t retires(int64_t n, uint64_t tick) const {
        return std::max(tick + pipeline, static_cast<uint64_t>(lag_ + n));
    }

  private:
    static constexpr uint64_t pipeline = 5; ///< from stage D to the retire port
    /// Number `n` retires in this tick at the earliest, so what follows after it.
    void late(int64_t n, uint64_t tick) { lag_ = std::max(lag_, static_cast<int64_t>(tick) - n); }

    int64_t issued_ = 0, load_ = 0, lag_ = 0;
    int64_t multiplies_[2] = {}; ///< whose products have not been written
    unsigned owed_ = 0;          ///< so many
};

} // namespace mcpi::exact
