// SPDX-License-Identifier: BSD-2-Clause
// Bytes between the transmit ring of the LANCE and its wire.
#pragma once
#include <array>
#include <cstdint>

namespace mcpi::exact {

/// Silo of a frame that goes out. Its bytes come in one after the other, each in its tick.
class SendSilo {
  public:
    void push(uint8_t byte, uint64_t from) { at(count_++) = {byte, from}; }
    bool ready(uint64_t tick) const { return count_ && bytes_[head_].from <= tick; }
    uint8_t pop() {
        const uint8_t byte = bytes_[head_].value;
        head_ = (head_ + 1) % bytes_.size();
        --count_;
        return byte;
    }
    unsigned count() const { return count_; }
    bool whole = false;  ///< the frame's last byte is in
    bool cutOff = false; ///< the chain of buffers ends too early: no more bytes come, no FCS

  private:
    struct Byte {
        uint8_t value;
        uint64_t from;
    };
    Byte &at(unsigned n) { return bytes_[(head_ + n) % bytes_.size()]; }

    std::array<Byte, 64> bytes_{};
    unsigned head_ = 0, count_ = 0;
};

} // namespace mcpi::exact
