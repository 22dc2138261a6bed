// SPDX-License-Identifier: BSD-2-Clause
// A half-duplex Ethernet segment, nibble by nibble, in virtual ticks: one cable, any number of
// stations at their places on it, carrier sense, collisions.
//
// A station's signal reaches another after the ticks between their places. Where it is there is
// carrier; where two are at once is a collision: a transceiver reports it to a station that sends
// when anybody else is heard, and to one that does not when it hears two. A receiver samples in
// the middle of each nibble, from the first carrier on; of several signals it gets the exclusive
// or. A station hears itself as well, `loopback` ticks late; its controller knows.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "wire.h"

namespace mcpi {

class EtherSegment {
  public:
    static constexpr uint64_t never = Line::never;
    /// A cable's most: there and back, jam and all, is over within the slot time of 512 bits.
    static constexpr uint64_t longestNibbles = 62;
    static constexpr uint64_t loopback = 12; ///< ticks from a station's bits to its own carrier

    /// UserError when a nibble has no length.
    explicit EtherSegment(uint64_t nibbleTicks);
    /// With the same stations, and what is on the cable.
    EtherSegment(const EtherSegment &other);
    EtherSegment &operator=(const EtherSegment &) = delete;

    /// A station, `place` ticks from the cable's end; two cannot stand in one place. Its number.
    unsigned attach(uint64_t place);

    /// The MII of `station` in the tick of its strobe; without `enable`: the end of its frame.
    void send(unsigned station, uint64_t tick, uint8_t nibble, bool enable);

    /// Pins that `station` sees in a tick; called for every tick that `next` returns, in order.
    Pins at(unsigned station, uint64_t tick);
    /// The tick, after `tick`, in which its pins change or a strobe comes; `never` for now.
    uint64_t next(unsigned station, uint64_t tick) const;
    /// The first tick of what is being sent; `never`: nothing is.
    uint64_t since() const;

    /// Frames sent since it was last emptied, whole or cut off, by their end; `error`: it collided.
    /// `receivedFirst` and `receivedLast` are not used.
    struct Attempt : Passage {
        unsigned station = 0;
    };
    std::vector<Attempt> passed;
    uint64_t collisions = 0; ///< so far: times in which somebody sent into somebody else's signal

  private:
    struct Signal {
        unsigned station;
        uint64_t first, end = never;
        bool collided = false;
        std::vector<uint8_t> nibbles;
    };
    struct Station {
        uint64_t place = 0;
        uint64_t strobeAt = never; ///< of the frame that comes in
        std::shared_ptr<Signal> sending;
        bool collides = false;   ///< as it was seen last
        uint64_t turned = never; ///< the tick in which it began to send, or stopped
    };
    uint64_t delay(unsigned from, unsigned to) const;
    bool reaches(const Signal &signal, unsigned station, uint64_t tick) const;
    uint64_t arrivalAt(const Signal &s, unsigned station) const {
        return s.first + delay(s.station, station);
    }
    void forget(uint64_t tick);

    uint64_t nibble_, longest_ = 0;
    std::vector<Station> stations_;
    std::deque<std::shared_ptr<Signal>> signals_; ///< on the cable
};

} // namespace mcpi
