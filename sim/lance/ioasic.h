// SPDX-License-Identifier: BSD-2-Clause
// The card in slot 7: the IOASIC's registers, its window into memory, the LANCE behind it
// (lance.md).
#pragma once
#include <algorithm>
#include <cstdint>

#include "ioasic_dma.h"
#include "lance.h"
#include "link/port.h"
#include "slot_line.h"
#include "turbochannel.h"

namespace mcpi::exact {

class Ioasic : public TcOption {
  public:
    Ioasic(const LanceTimes &times, bool dense) : lance_(times, true), station_(times.station) {
        dma_.dense = dense;
    }

    bool ready(uint64_t edge, uint32_t offset, bool write, uint64_t cycle) const override;
    uint32_t read(uint64_t edge, uint32_t offset) override;
    void write(uint64_t edge, uint32_t offset, uint32_t value, unsigned mask) override;
    void burstDone(uint64_t tick, const Burst &burst, bool failed) override;
    uint64_t window() const override { return dma_.base; }

    const Lance &lance() const { return lance_; }
    const IoasicDma &dma() const { return dma_; }
    uint64_t next() const { return std::min({lance_.next(), line_.next(), changes_, fails_}); }
    void setHalfDuplex(bool half) { lance_.setHalfDuplex(half); }
    void at(uint64_t tick, TcHost &bus, Port &wire);
    /// Give the card the wire's pins in this tick.
    void hears(uint64_t tick, const Pins &pins) { lance_.hears(tick, pins); }
    /// The slot's interrupt line, as the card drives it in this tick.
    bool line() const { return line_.line(); }
    void classify() { lance_.classify(); }
    void watch() { lance_.watch(); }
    std::vector<LanceStep> steps() { return lance_.steps(); }

  private:
    uint32_t causes() const; ///< SIR

    Lance lance_;
    IoasicDma dma_;
    SlotLine line_;
    uint64_t station_;
    uint32_t pointer_ = 0, ssr_ = 0, sir_ = 0, simr_ = 0, slot_ = 0;
    uint64_t changes_ = never; ///< a register that was written has its value
    uint64_t fails_ = never;   ///< a read of memory has failed
};

} // namespace mcpi::exact
