// SPDX-License-Identifier: BSD-2-Clause
// The sending side of the LANCE's wire: when a frame begins, its nibbles, FCS, jam (lance.md).
#pragma once
#include <cstdint>

#include "backoff.h"
#include "deferral.h"
#include "link/port.h"
#include "registers.h"
#include "silo.h"

namespace mcpi::exact {

/// How a frame goes out.
struct Sending {
    bool fcs = true;       ///< is appended
    bool inside = false;   ///< internal loopback: not on the MII
    bool collides = false; ///< COLL: in every attempt
};

/// Result of the frame.
struct Sent {
    bool dry = false;      ///< the silo ran empty before the frame's end
    bool cutOff = false;   ///< there was no more to send, and no end
    bool late = false;     ///< a collision after the slot time
    bool lost = false;     ///< the carrier went away
    bool deferred = false; ///< there was carrier when it was ready
    unsigned position = 0; ///< nibbles to the last collision
    unsigned bytes = 0;    ///< that have left, FCS included
};

class TransmitWire {
  public:
    /// Reports to the ring in a tick.
    enum class WireEvent {
        nothing,
        room,     ///< a byte has left the silo
        collided, ///< the attempt is over with its jam
        over      ///< the frame is
    };

    explicit TransmitWire(uint64_t nibble) : nibble_(nibble), deferral_(nibble), backoff_(nibble) {}

    void setHalfDuplex(bool half) { half_ = half; }
    void setHold(bool hold) { emba_ = hold; }
    /// Nobody else is heard from `tick` on: internal loopback.
    void setInside(uint64_t tick, bool inside);
    /// The silo has enough of a frame from `tick` on.
    void go(uint64_t tick, const Sending &how);
    /// The attempt that was over is to be repeated when the silo has enough again.
    void again(uint64_t tick, unsigned collisions) {
        backoff_.hold(tick + 1, emba_ && carrier_);
        backoff_.collided(tick, collisions);
    }
    /// The frame is done with, all its attempts too.
    void done() {
        backoff_.forget();
        sent_.deferred = false;
    }
    /// Nothing more is sent but the nibble under way.
    void stop();
    void reseed(uint64_t address) { backoff_.reseed(address); }

    /// The pins, in a tick in which they may change.
    void sees(uint64_t tick, const Pins &pins);
    uint64_t next() const { return at_; }
    /// `inside`: what the receiver gets in internal loopback.
    WireEvent at(uint64_t tick, SendSilo &silo, Port &port, Pins &inside);
    const Sent &sent() const { return sent_; }
    /// Return true if a nibble is on the wire in `tick`, the first one of this tick included.
    bool enabled(uint64_t tick) const {
        return at_ == tick ? stage_ == Stage::waits || n_ != end_ : sending();
    }
    /// The tick in which the last attempt was over.
    uint64_t ended() const { return ended_; }
    bool sending() const { return stage_ == Stage::frame || stage_ == Stage::jam; }
    /// A collision may still ask for the frame's start, as the ring sees it in `tick`.
    bool mayCollide(uint64_t tick) const {
        if ((stage_ == Stage::idle && tick > ended_ + 1) || (!how_.collides && (!half_ || inside_)))
            return false;
        return stage_ == Stage::waits || tick < first_ + slotTicks() + toRing ||
               (hit_ && sent_.position < am7990::slotNibbles);
    }
    /// The ring sees from here on that the slot time of the attempt under way is over.
    uint64_t slotOver() const { return sending() ? first_ + slotTicks() + toRing : never; }

  private:
    enum class Stage { idle, waits, frame, jam };

    static constexpr uint64_t toRing = 2;

    uint64_t slotTicks() const { return 128 * nibble_; }
    void plan(uint64_t tick);
    void hears(uint64_t tick, bool carrier);
    bool fetch(uint64_t tick, SendSilo &silo);
    void put(uint64_t tick, uint8_t data, bool enable, Port &port, Pins &inside);
    WireEvent end(uint64_t tick);

    uint64_t nibble_;
    bool half_ = false, emba_ = false, inside_ = false;
    Deferral deferral_;
    Backoff backoff_;
    Stage stage_ = Stage::idle;
    Sending how_;
    Sent sent_;
    uint64_t at_ = never;    ///< the next nibble, or the first
    uint64_t ready_ = never; ///< the silo has enough
    uint64_t first_ = 0;     ///< tick of the first bit
    uint64_t ended_ = 0;     ///< tick in which the last attempt was over
    unsigned n_ = 0;         ///< the nibble that is sent next
    unsigned data_ = 0;      ///< nibbles of bytes that came from the silo
    unsigned end_ = 0;       ///< the nibble after the last one, once it is known
    uint8_t byte_ = 0, next_ = 0;
    uint32_t crc_ = 0;
    bool pin_ = false, carrier_ = false; ///< of the MII, and as it counts
    uint64_t rose_ = 0;                  ///< the tick in which it came
    bool hit_ = false;                   ///< a collision in this attempt
    bool cut_ = false;                   ///< STOP or MERR has ended it: nothing hits it any more
    uint64_t hitAt_ = 0;
};

} // namespace mcpi::exact
