// SPDX-License-Identifier: BSD-2-Clause
// A point-to-point, full-duplex Ethernet segment, nibble by nibble, in virtual ticks.
//
// Each direction has a bit clock of its own: the receiver's strobes lie on a grid whose phase comes
// from the seed. A nibble presented at tick t fills [t, t + nibble); it is on the receiver's side
// after the propagation delay and is delivered with the first strobe of the grid from then on.
// sources/lance.md 1.4 gives what is on the wire: 62 bits of preamble, `11`, frame, FCS.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "frame.h"

namespace mcpi {

class Faults;

/// Times in ticks. `phase` is below `nibbleTicks`.
struct LineConfig {
    uint64_t nibbleTicks = 70;
    uint64_t delayTicks = 9; ///< 10 m of cable are 0.05 us
    uint64_t phase = 0;
};

/// Nibble that the receiver's MII sees with a strobe.
struct Nibble {
    uint8_t data = 0;
    bool valid = false, error = false;
};

/// Pins that an MII sees in a tick.
struct Pins {
    bool carrier = false, collision = false, strobe = false;
    Nibble nibble; ///< with `strobe`
};

/// Counts of faults so far in one direction.
struct WireCounts {
    uint64_t lost = 0, corrupted = 0, duplicated = 0, delayed = 0, reordered = 0, injected = 0;
};

/// A direction of the wire.
class Line {
  public:
    explicit Line(const LineConfig &config);
    /// From now on frames suffer `faults`; those that are moved keep a spacing of 9.6 us.
    void suffer(std::unique_ptr<Faults> faults);

    /// The sender's MII in the tick of its strobe; RunError when the strobes are not evenly spaced.
    void send(uint64_t tick, uint8_t data, bool enable, bool error);
    /// Tick, `now` at the earliest, of the next strobe at the receiver that carries news: a
    /// nibble, or the end of the frame; `never` when nothing is on its way. RunError when it lies
    /// before `now`.
    uint64_t nextStrobe(uint64_t now) const;
    static constexpr uint64_t never = ~uint64_t{0};
    /// The first bit of each frame that is still to come to `passed` was sent in this tick, or
    /// later; `never`: none is on its way.
    uint64_t since() const;
    /// The nibble of the strobe at `now`; moves on to the next one.
    Nibble receive(uint64_t now);
    /// Ticks that always lie between sending a nibble and its delivery, at least.
    uint64_t lookahead() const { return config_.nibbleTicks + config_.delayTicks; }

    /// Frames that have been sent completely, oldest first; the caller may empty it.
    std::vector<Passage> passed;
    WireCounts counts;

  private:
    struct Due {
        uint64_t tick;
        Nibble nibble;
    };
    /// A frame that is whole and comes at `tick`, or after the next one.
    struct Waiting {
        uint64_t tick;
        bool afterNext;
        Passage passage;
        bool passes; ///< it is a frame that was sent, to go to `passed`
    };
    void begin(uint64_t tick);
    void end();
    void deliver(Waiting &waiting);
    void deliverUpTo(uint64_t tick, bool afterNext);
    void wait(Waiting waiting);
    uint64_t onGrid(uint64_t tick) const;
    uint64_t free() const;

    LineConfig config_;
    std::shared_ptr<const Faults> faults_; ///< a copy suffers the same
    uint64_t frames_ = 0;                  ///< begun so far
    uint64_t corruptAt_ = never;
    bool duplicate_ = false, reorder_ = false;
    std::deque<Waiting> waiting_; ///< by tick
    std::deque<Due> due_;
    Passage current_;
    bool sending_ = false;
    bool receiving_ = false; ///< the strobe delivered last carried a nibble
    uint64_t lastStrobe_ = 0, lastSent_ = 0, nextDue_ = 0;
    uint64_t lastArrived_ = 0; ///< end of what the receiver got, or gets, last
};

} // namespace mcpi
