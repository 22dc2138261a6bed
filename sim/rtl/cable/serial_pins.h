// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <cstdint>
#include <deque>

namespace mcpi {

/// The host's end of a serial line of ten node clocks a bit.
class SerialPins {
  public:
    static constexpr unsigned bitClocks = 10;

    void send(uint8_t byte) { waiting_.push_back(byte); }
    bool sends() const { return left_ || !waiting_.empty(); }

    /// A clock: samples `txd`; return what `rxd` is from now on.
    bool clock(bool txd) {
        listen(txd);
        if (!left_ && !waiting_.empty()) {
            frame_ = 1u << 9 | waiting_.front() << 1; // stop bit, byte, start bit
            waiting_.pop_front();
            left_ = 10 * bitClocks;
        }
        if (!left_)
            return true;
        const unsigned bit = (10 * bitClocks - left_--) / bitClocks;
        return frame_ >> bit & 1;
    }
    /// True if a byte is whole since the clock before.
    bool receive(uint8_t &byte) {
        byte = got_;
        return has_;
    }

  private:
    void listen(bool txd) {
        has_ = false;
        if (!heard_) {
            heard_ = txd ? 0 : 1;
            return;
        }
        if (heard_ % bitClocks == bitClocks / 2 && heard_ > bitClocks && heard_ < 9 * bitClocks)
            got_ = got_ >> 1 | txd << 7;
        has_ = heard_ == 9 * bitClocks + bitClocks / 2;
        heard_ = has_ ? 0 : heard_ + 1;
    }

    std::deque<uint8_t> waiting_;
    unsigned frame_ = 0, left_ = 0;
    unsigned heard_ = 0; ///< clocks since the start bit began; 0: none
    uint8_t got_ = 0;
    bool has_ = false;
};

} // namespace mcpi
