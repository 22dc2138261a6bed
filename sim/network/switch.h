// SPDX-License-Identifier: BSD-2-Clause
// A store-and-forward Ethernet switch, in virtual ticks.
//
// A port receives a frame whole and checks it (IEEE 802.3: 64 to 1,518 bytes, check sequence),
// learns which station is behind it, and puts the frame into the queue of the port of its
// destination, from which it may go after `latencyTicks`; into the queues of all other ports if the
// destination is a group or not known. A port sends the frames of its queue in order, 9.6 us (at 10
// Mb/s) apart. What is known of a station stays until the station sends through another port (IEEE
// 802.1D without ageing).
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "link/wire.h"

namespace mcpi {

struct SwitchConfig {
    uint64_t nibbleTicks = 70;
    uint64_t latencyTicks = 1750; ///< from a frame's last bit until it may leave: 10 us
    uint64_t queue = 64;          ///< frames that wait at a port, without the frame on the wire
};

class Switch {
  public:
    explicit Switch(const SwitchConfig &config) : config_(config) {}

    /// Plug a link in: `out` goes to what is at its other end, `in` comes from there.
    void attach(Line &out, Line &in);
    /// Do everything that comes before this tick.
    void advance(uint64_t until);
    /// The first tick, `now` at the earliest, in which a nibble comes or goes; Line::never for now.
    uint64_t next(uint64_t now) const;
    /// No frame is in it, whole or in part.
    bool empty() const;

    struct Counts {
        uint64_t forwarded = 0; ///< frames to the port of their station
        uint64_t flooded = 0;   ///< frames to all other ports
        uint64_t filtered = 0;  ///< frames to a station behind the port that they came by
        uint64_t damaged = 0;   ///< too short, too long, or with a wrong check sequence
        uint64_t dropped = 0;   ///< copies of a frame that found a queue full
    };
    Counts counts;

  private:
    using Nibbles = std::shared_ptr<const std::vector<uint8_t>>;
    struct Waiting {
        uint64_t ready;
        Nibbles frame;
    };
    struct Port {
        Line *out, *in;
        std::vector<uint8_t> received; ///< of the frame that comes
        bool error = false;            ///< in it
        std::deque<Waiting> queue;
        Nibbles sending;      ///< null: no frame is on the wire
        std::size_t sent = 0; ///< its nibbles
        uint64_t at = 0;      ///< tick of its next nibble; or before which no frame may begin
    };

    uint64_t sends(const Port &port) const;
    void receive(std::size_t port, uint64_t tick);
    void received(std::size_t port, uint64_t tick);
    void put(Port &port, uint64_t tick, const Nibbles &frame);
    void send(Port &port, uint64_t tick);

    SwitchConfig config_;
    std::vector<Port> ports_;
    std::map<uint64_t, std::size_t> stations_; ///< port by station address
    uint64_t now_ = 0;
};

} // namespace mcpi
