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

    /// So many bytes of a burst into memory are here.
    void hold(const Ownership &what, unsigned bytes);
    /// Burst on the TURBOchannel for this ownership, in the window.
    Burst pack(const Ownership &what);
    /// Address of its first longword, in the window.
    uint64_t address(const Ownership &o) const {
        return (o.burst ? byte(o.address) : word(o.address)) & ~uint64_t{3};
    }
    /// Where memory has the chip's word at an even address, and its byte at an address.
    uint64_t wordAt(uint32_t a) const { return base + word(a); }
    uint64_t byteAt(uint32_t a) const { return base + byte(a); }
    /// Give the ownership the data of its burst: the last longword is there in `tick`.
    void unpack(uint64_t tick, const Burst &burst, Ownership &what);
    /// No longword comes from `tick` on any more. They are `apart` ticks apart.
    void letGo(uint64_t tick, uint64_t apart);

  private:
    // In the window, which stands on 128 KB.
    uint64_t word(uint32_t a) const { return dense ? a & 0xFFFFFE : 2 * (a & 0xFFFE); }
    uint64_t byte(uint32_t a) const {
        return dense ? a & 0xFFFFFF : ((2 * (a & 0xFFFF)) & ~31u) + (a & 15);
    }

    void take(unsigned longwords);

    std::array<uint8_t, 16> buffer_{}; ///< what is left of a longword goes into memory as it is
    Burst coming_;                     ///< what was read last
    unsigned place_ = 0;               ///< in the buffer
    uint64_t there_ = 0;               ///< from here on it is
    bool comes_ = false;               ///< it is not in the buffer yet
};

} // namespace mcpi::exact
