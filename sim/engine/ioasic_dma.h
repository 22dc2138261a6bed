// SPDX-License-Identifier: BSD-2-Clause
// The LANCE's words on their way through the IOASIC: a window of memory with gaps, or a dense one,
// whole longwords on the TURBOchannel (lance.md, Where the chip sees memory).
#pragma once
#include <array>
#include <cstdint>

#include "bus_master.h"
#include "turbochannel.h"

namespace mcpi::exact {

class IoasicDma {
  public:
    uint64_t base = 0;  ///< of the window, physical
    bool on = false;    ///< the chip is let on the bus
    bool dense = false; ///< without gaps, and all of the chip's 24 address bits

    /// What goes over the TURBOchannel for this ownership.
    Burst pack(const Ownership &what);
    /// Of its first longword.
    uint64_t address(const Ownership &o) const {
        return (o.burst ? byte(o.address) : word(o.address)) & ~uint64_t{3};
    }
    /// What has come for it.
    void unpack(const Burst &burst, Ownership &what);

  private:
    uint64_t word(uint32_t a) const { return base + (dense ? a & 0xFFFFFE : 2 * (a & 0xFFFE)); }
    uint64_t byte(uint32_t a) const {
        return base + (dense ? a & 0xFFFFFF : ((2 * (a & 0xFFFF)) & ~31u) + (a & 15));
    }

    std::array<uint8_t, 16> buffer_{}; ///< what is left of a longword goes into memory as it is
};

} // namespace mcpi::exact
