// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <array>
#include <cstdint>

namespace mcpi {

/// Registers of an Ethernet PHY at MDIO (IEEE 802.3 clause 22), and its link with another one.
class MdioPhy {
  public:
    explicit MdioPhy(unsigned address) : address_(address) { reset(); }

    void reset();
    /// The pins of the board; return what the PHY drives: 1 where it drives nothing.
    bool pins(bool mdc, bool write, bool drive);
    /// Link, or none, by what both ends have been told; `held`: one of them is in reset.
    static void join(MdioPhy &a, MdioPhy &b, bool held);
    /// RXD of RGMII between frames.
    unsigned shown() const { return shown_; }

  private:
    enum Register { control, status, identity, advertise = 4, partner };

    void rise(bool bit);
    bool negotiates() const { return registers_[control] & 1 << 12; }

    unsigned address_;
    std::array<uint16_t, 32> registers_{};
    unsigned shown_ = 0;
    bool mdc_ = false, out_ = true;
    unsigned ones_ = 0;   ///< of the preamble
    int at_ = -1;         ///< bits of the frame after its first zero; -1: none
    uint32_t frame_ = 0;  ///< those bits
    uint32_t answer_ = 0; ///< bits to drive, the next one at the top
    unsigned answers_ = 0;
};

} // namespace mcpi
