// SPDX-License-Identifier: BSD-2-Clause
// The LANCE on a PMAD-AA option: 128 KB of memory and two ROMs on the card, no DMA (lance.md).
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "lance.h"
#include "link/port.h"
#include "slot_line.h"
#include "turbochannel.h"

namespace mcpi::exact {

class Pmad : public TcOption, private LanceMemory {
  public:
    explicit Pmad(const LanceTimes &times);

    void access(uint64_t tick, uint32_t offset, bool write, uint32_t value, unsigned mask) override;
    bool ready(uint64_t edge, uint32_t offset, bool write, uint64_t cycles) const override;
    uint32_t read(uint64_t edge, uint32_t offset) override;
    void write(uint64_t edge, uint32_t offset, uint32_t value, unsigned mask) override;
    void burstDone(uint64_t, const Burst &, bool) override {}

    const Lance &lance() const { return lance_; }
    uint64_t next() const { return std::min({lance_.next(), moves_, core_.at, line_.next()}); }
    void at(uint64_t tick, TcHost &, Port &wire);
    void hears(uint64_t tick, const Pins &pins) { lance_.hears(tick, pins); }
    void setHalfDuplex(bool half) { lance_.setHalfDuplex(half); }
    bool line() const { return line_.line(); }
    void watch() { lance_.watch(); }
    std::vector<LanceStep> steps() { return lance_.steps(); }

  private:
    bool move(uint64_t tick, Ownership &what) override;
    void move(Ownership &what);
    void moveCore();
    void letGo(uint64_t tick, const Ownership &) override;

    Lance lance_;
    SlotLine line_;
    uint64_t station_;
    std::vector<uint8_t> memory_;
    uint64_t moves_ = never; ///< the tick in which the chip has its memory
    uint64_t free_ = 0;      ///< from here on it does not have it any more
    /// The core's access of the memory.
    struct Core {
        uint64_t at = never, done = 0; ///< its tick
        uint32_t offset = 0, value = 0;
        unsigned mask = 0; ///< bytes to write
    };
    Core core_;
};

} // namespace mcpi::exact
