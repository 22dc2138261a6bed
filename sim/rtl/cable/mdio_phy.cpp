// SPDX-License-Identifier: BSD-2-Clause
#include "mdio_phy.h"

#include <utility>

namespace mcpi {
namespace {

constexpr uint16_t speed100 = 1 << 13, fullDuplex = 1 << 8; // of the control register
constexpr uint16_t linked = 1 << 2, negotiated = 1 << 5;    // of the status register
constexpr uint16_t full10 = 1 << 6, full100 = 1 << 8;       // abilities
constexpr uint16_t offers = 0x1E1;                          // 10 and 100 Mb/s, half and full duplex
constexpr unsigned headBits = 13;                           // after the first zero

} // namespace

void MdioPhy::reset() {
    registers_.fill(0);
    registers_[identity] = 0x0022; // a KSZ9031's
    registers_[identity + 1] = 0x1622;
    registers_[control] = 1 << 12;
    registers_[advertise] = offers;
}

bool MdioPhy::pins(bool mdc, bool write, bool drive) {
    if (mdc && !mdc_)
        rise(drive ? write : true);
    if (!mdc && mdc_) {
        out_ = answers_ ? answer_ >> 31 : true;
        if (answers_) {
            answer_ <<= 1;
            --answers_;
        }
    }
    mdc_ = mdc;
    return out_;
}

/// A bit of a frame: 0 1, operation, PHY, register, turn-around, 16 bits.
void MdioPhy::rise(bool bit) {
    if (at_ < 0) {
        if (bit)
            ++ones_;
        else {
            at_ = ones_ < 32 ? -1 : 0;
            ones_ = 0;
        }
        frame_ = 0;
        return;
    }
    frame_ = frame_ << 1 | bit;
    ++at_;
    const unsigned head = at_ == int(headBits) ? frame_ : frame_ >> 18 & 0x1fff;
    const bool ours = (head >> 5 & 31) == address_ && head >> 12 & 1;
    const unsigned operation = head >> 10 & 3, number = head & 31;
    if (at_ == int(headBits) && ours && operation == 2) {
        answer_ = 1u << 31 | uint32_t(registers_[number]) << 14; // nobody's bit, a zero, the data
        answers_ = 18;
    }
    if (at_ == int(headBits) + 18) {
        if (ours && operation == 1)
            registers_[number] = frame_ & 0xffff;
        at_ = -1;
    }
}

void MdioPhy::join(MdioPhy &a, MdioPhy &b, bool held) {
    uint16_t said = 0;
    unsigned shown = 0;
    const uint16_t both = a.registers_[advertise] & b.registers_[advertise];
    const uint16_t forced = a.registers_[control] & (speed100 | fullDuplex);
    if (held)
        said = 0;
    else if (a.negotiates() && b.negotiates()) {
        said = negotiated;
        if (both & (full10 | full100)) {
            said |= linked;
            shown = 9 | (both & full100 ? 2 : 0);
        }
    } else if (!a.negotiates() && !b.negotiates() &&
               forced == (b.registers_[control] & (speed100 | fullDuplex))) {
        said = linked;
        shown = 1 | (forced & speed100 ? 2 : 0) | (forced & fullDuplex ? 8 : 0);
    }
    for (auto [one, other] : {std::pair{&a, &b}, {&b, &a}}) {
        one->registers_[status] = said;
        one->registers_[partner] = said ? other->registers_[advertise] : 0;
        one->shown_ = shown;
    }
}

} // namespace mcpi
