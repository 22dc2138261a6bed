// SPDX-License-Identifier: BSD-2-Clause
// Values that come after their instruction has left the pipeline, and the register file's one write
// port (core.md, Register file).
#pragma once
#include <cstdint>

namespace mcpi::exact {

class LateResults {
  public:
    /// A new tick, in which a value from outside comes (`value`), or a product. The pipeline's end
    /// has the port first, then a value that came before, then a product. Whether a product is
    /// written.
    bool tick(bool value, bool product) {
        const bool taken = pipeline_ >> 2 & 1;
        pipeline_ <<= 1;
        product_ |= product;
        crowded_ = value_ && product_;
        const bool waits = product_;
        if (!taken && value_)
            value_ = false;
        else if (!taken && !value)
            product_ = false;
        value_ |= value;
        return waits && !product_;
    }
    /// The instruction that issues in this tick writes at the pipeline's end.
    void writes() { pipeline_ |= 1; }
    /// So does the load that issued in the tick before.
    void hits() { pipeline_ |= 2; }
    /// So many ticks in which none comes, nothing issues, and `waits()` is false.
    void skip(uint64_t ticks) { pipeline_ = ticks < 32 ? pipeline_ << ticks : 0; }
    /// A value or a product waits for the port.
    bool waits() const { return value_ || product_; }
    /// Both wait for the port: nothing issues.
    bool crowded() const { return crowded_; }
    bool productWaits() const { return product_; }

  private:
    uint32_t pipeline_ = 0; ///< by ticks since the issue
    bool value_ = false, product_ = false, crowded_ = false;
};

} // namespace mcpi::exact
