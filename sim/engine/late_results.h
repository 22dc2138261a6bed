// SPDX-License-Identifier: BSD-2-Clause
// Values that come after their instruction has left the pipeline, and the register file's one write
// port (core.md, Register file).
#pragma once
#include <cstdint>

namespace mcpi::exact {

class LateResults {
  public:
    /// A new tick begins. The pipeline's end has the port first, then a load, then a product.
    void tick() {
        crowded_ = load_ && product_;
        const bool taken = pipeline_ >> 2 & 1;
        pipeline_ <<= 1;
        if (taken)
            return;
        if (load_)
            load_ = false;
        else
            product_ = false;
    }
    /// The instruction that issues in this tick writes at the pipeline's end.
    void writes() { pipeline_ |= 1; }
    /// So does the load that issued in the tick before.
    void hits() { pipeline_ |= 2; }
    /// A load's block came in this tick; a product is there.
    void load() { load_ = true; }
    void product() { product_ = true; }
    /// Both waited for the port as this tick began: nothing issues.
    bool crowded() const { return crowded_; }
    bool productWaits() const { return product_; }

  private:
    uint32_t pipeline_ = 0; ///< by ticks since the issue
    bool load_ = false, product_ = false, crowded_ = false;
};

} // namespace mcpi::exact
