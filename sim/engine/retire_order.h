// SPDX-License-Identifier: BSD-2-Clause
// When an instruction retires: in order, one a tick, none before its value is there (core.md,
// Retire port). Kept so that an issue costs one addition.
#pragma once
#include <algorithm>
#include <cstdint>

namespace mcpi::exact {

class RetireOrder {
  public:
    /// An instruction issues, or a trap takes the place of one.
    void issues() { ++issued_; }
    /// It is a load: if it misses, its value comes late.
    void loads() { load_ = issued_; }
    /// The value of that load has come in this tick.
    void filled(uint64_t tick) { late(load_, tick + 1); }
    /// It is a multiply, and has its product in tick `product`.
    void multiplies(uint64_t product) {
        if (multiplying_)
            late(multiply_, product_ + 1);
        multiply_ = issued_;
        product_ = product;
        multiplying_ = true;
    }
    /// A product has been written in this tick.
    void written(uint64_t tick) {
        if (tick < product_)
            return; // of an earlier one
        late(multiply_, tick + 1);
        multiplying_ = false;
    }
    /// What has issued last.
    int64_t number() const { return issued_; }
    /// The tick in which number `n` retires, which issued in `tick`; unknown while a product that
    /// may be older has not been written.
    bool knows() const { return !multiplying_; }
    uint64_t retires(int64_t n, uint64_t tick) const {
        return std::max(tick + pipeline, static_cast<uint64_t>(behind_ + n));
    }

  private:
    static constexpr uint64_t pipeline = 5; ///< from stage D to the retire port
    /// Number `n` retires in this tick at the earliest, so what follows after it.
    void late(int64_t n, uint64_t tick) {
        behind_ = std::max(behind_, static_cast<int64_t>(tick) - n);
    }

    int64_t issued_ = 0, load_ = 0, multiply_ = 0, behind_ = 0;
    uint64_t product_ = 0;
    bool multiplying_ = false;
};

} // namespace mcpi::exact
