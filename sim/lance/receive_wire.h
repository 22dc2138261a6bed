// SPDX-License-Identifier: BSD-2-Clause
// The receiving side of the LANCE's wire: frames out of nibbles, the address filter, the silo.
#pragma once
#include <array>
#include <cstdint>
#include <deque>

#include "classifier/classifier.h"
#include "link/port.h"
#include "turbochannel.h"

namespace mcpi::exact {

/// Addresses that the filter lets through.
struct Filter {
    bool promiscuous = false, groups = true;
    std::array<uint8_t, 6> physical{};
    uint64_t logical = 0;
    bool accepts(const std::array<uint8_t, 6> &address) const;
};

/// A frame that comes in.
struct Incoming {
    std::vector<uint8_t> data; ///< what the silo took, a lost frame's too
    std::array<uint8_t, 6> address{};
    unsigned size = 0;  ///< bytes that came
    unsigned taken = 0; ///< by the ring, or on the way into memory
    uint64_t last = 0;  ///< tick of the last byte in `data`
    uint64_t ended = never;
    uint64_t over = never;  ///< the silo ran over
    uint64_t known = never; ///< the filter has taken it
    bool accepted = false, dribble = false, spoilt = false;
    bool lost = false;         ///< the ring has no buffer for it
    Classifier::Set paths = 0; ///< entries that it may match; of one that has ended: does match
    /// The tick in which the ring knows of its end, which comes `after` so many ticks; a tick later
    /// if the silo took nothing of it.
    uint64_t seen(uint64_t after) const {
        return ended == never ? never : ended + after + data.empty();
    }
};

class ReceiveWire {
  public:
    /// Events of a nibble.
    enum class WireEvent { nothing, byte, address, ended, crowded };

    explicit ReceiveWire(unsigned silo) : silo_(silo) {}

    /// Receive frames that begin from now on, or not.
    void listen(bool on) { on_ = on; }
    /// `leaving`: bytes that the ring has taken and that are in the silo still; `own`: what begins
    /// now is the chip's own frame.
    WireEvent hears(uint64_t tick, const Nibble &nibble, const Filter &filter, unsigned leaving,
                    bool own = false);
    /// The wire is another from now on.
    void hangUp() {
        forget();
        begun_ = inFrame_ = half_ = false;
    }
    /// Drop the frames that have come, and the rest of one that is coming.
    void forget() {
        frames.clear();
        ours_ = heard_ = false;
    }

    /// Write a longword of an entry, in a tick whose nibble has been heard.
    void writeEntry(uint64_t tick, unsigned entry, unsigned place, uint32_t value);

    std::deque<Incoming> frames; ///< accepted ones, and one whose address is not yet there

  private:
    WireEvent byte(uint64_t tick, uint8_t value, const Filter &filter, unsigned leaving);
    unsigned inSilo() const;

    Classifier classifier_;
    unsigned silo_;
    bool on_ = false;
    bool begun_ = false;   ///< something comes in
    bool heard_ = false;   ///< from its first nibble on
    bool inFrame_ = false; ///< after the start delimiter
    bool ours_ = false;    ///< `frames.back()` is the one that comes in
    bool half_ = false;
    uint8_t low_ = 0;
};

uint32_t crcOf(const uint8_t *data, std::size_t size);

} // namespace mcpi::exact
