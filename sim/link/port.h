// SPDX-License-Identifier: BSD-2-Clause
// Port that a node's MII is plugged into, by the tick.
#pragma once
#include "segment.h"
#include "wire.h"

namespace mcpi {

class Port {
  public:
    virtual ~Port() = default;
    /// The node's MII in the tick of its strobe; without `enable`: the end of its frame.
    virtual void send(uint64_t tick, uint8_t data, bool enable, bool error) = 0;
    /// The first tick, `tick` at the earliest, in which a strobe comes or carrier or collision may
    /// be others than in the tick before; `Line::never` for now.
    virtual uint64_t next(uint64_t tick) const = 0;
    /// Pins that the node sees in such a tick.
    virtual Pins at(uint64_t tick) = 0;
};

/// An end of a full-duplex wire.
class LinePort : public Port {
  public:
    LinePort(Line &out, Line &in) : out_(out), in_(in) {}
    void send(uint64_t tick, uint8_t data, bool enable, bool error) override {
        out_.send(tick, data, enable, error);
    }
    uint64_t next(uint64_t tick) const override { return in_.nextStrobe(tick); }
    Pins at(uint64_t tick) override {
        Pins pins;
        pins.strobe = true;
        pins.nibble = in_.receive(tick);
        return pins;
    }

  private:
    Line &out_, &in_;
};

/// A cable without another end.
struct Silent : Port {
    void send(uint64_t, uint8_t, bool, bool) override {}
    uint64_t next(uint64_t) const override { return Line::never; }
    Pins at(uint64_t) override { return {}; }
};

/// A place on a half-duplex segment.
class SegmentPort : public Port {
  public:
    SegmentPort(EtherSegment &segment, unsigned station) : segment_(segment), station_(station) {}
    void send(uint64_t tick, uint8_t data, bool enable, bool) override {
        segment_.send(station_, tick, data, enable);
    }
    uint64_t next(uint64_t tick) const override {
        return tick ? segment_.next(station_, tick - 1) : 0;
    }
    Pins at(uint64_t tick) override { return segment_.at(station_, tick); }

  private:
    EtherSegment &segment_;
    unsigned station_;
};

} // namespace mcpi
