// SPDX-License-Identifier: BSD-2-Clause
// Values that come after their instruction has left the pipeline, and the register file's one write
// port (core.md, Register file).
#pragma once
#include <cstdint>

namespace mcpi::exact {

class LateResults {
  public:
    /// A new tick, in which a value from outside comes for register `reg`, 31 if none does, or a
    /// product. The pipeline's end has the port first, then a value that came before, then a
    /// product. Whether a product is written.
    bool tick(unsigned reg, bool product) {
        const unsigned value = named(reg);
        const unsigned taken = pipeline_ >> 16 & 0xFF;
        pipeline_ <<= 8;
        product_ |= product;
        crowded_ = value_ && product_;
        const bool waits = product_;
        if (value_ && (!taken || taken == value_)) // a younger instruction's replaces it
            value_ = 0;
        else if (!taken && !value)
            product_ = false;
        if (value)
            value_ = value;
        return waits && !product_;
    }
    /// A new tick in which none comes, and `waits()` is false.
    void quietTick() {
        pipeline_ <<= 8;
        crowded_ = false;
    }
    /// The instruction that has issued since `tick` writes this register at the pipeline's end.
    void writes(unsigned reg) { pipeline_ |= named(reg); }
    /// So does the load that had issued before it.
    void hits(unsigned reg) { pipeline_ |= named(reg) << 8; }
    /// So many ticks in which none comes, nothing issues, and `waits()` is false.
    void skip(uint64_t ticks) { pipeline_ = ticks < 4 ? pipeline_ << 8 * ticks : 0; }
    /// A value or a product waits for the port.
    bool waits() const { return value_ || product_; }
    /// Both wait for the port: nothing issues.
    bool crowded() const { return crowded_; }
    bool productWaits() const { return product_; }

  private:
    /// Not 0, unless it is r31, which nobody writes.
    static constexpr unsigned named(unsigned reg) { return reg ^ 31; }

    uint32_t pipeline_ = 0; ///< which register, a byte for each tick since the issue
    unsigned value_ = 0;    ///< of which register one waits
    bool product_ = false, crowded_ = false;
};

} // namespace mcpi::exact
