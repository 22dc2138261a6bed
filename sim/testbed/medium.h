// SPDX-License-Identifier: BSD-2-Clause
// The Ethernet between two nodes, as link.duplex of the machine has it: a full-duplex wire, whose
// frames may suffer faults, or a half-duplex segment with a node at either end.
#pragma once
#include <array>
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "base/machine.h"
#include "link/port.h"
#include "log/events.h"
#include "options.h"

namespace mcpi {

class Medium {
  public:
    /// UserError when machine and options do not go together.
    Medium(const Machine &machine, const Options &options);
    /// Copy the other's state: frames under way arrives in both.
    Medium(const Medium &other);

    Port &port(unsigned node) const { return *ports_[node]; }
    /// Ticks that lie, at least, between what one node does and what the other sees of it.
    uint64_t lookahead() const { return lookahead_; }
    /// Collect the passages since the last call: stamps into `events`, whole frames to `frames`.
    void collect(EventLog &events, std::vector<Passage> &frames);
    /// The first bit of each frame that is not collected yet comes in this tick, or later.
    uint64_t since() const;
    /// The same for nobody.
    void forget();
    /// The part of run.json under `wire`; null: none.
    nlohmann::ordered_json wireCounts() const;

    static bool isHalf(const Machine &machine);
    /// UserError that names `mode` when the machine's link is not full duplex.
    static void wantFull(const Machine &machine, const char *mode);

  private:
    void wires(const Machine &machine, const Options &options);
    void segment(const Options &options);
    void plug();

    std::array<std::unique_ptr<Line>, 2> lines_; ///< from node n to the other
    std::array<bool, 2> suffers_{};              ///< what node n sends
    std::unique_ptr<EtherSegment> segment_;
    uint64_t attempts_ = 0, collided_ = 0, bits_ = 0; ///< on the segment; bits of whole frames
    uint64_t cable_ = 0, nibble_ = 0;
    bool loopback_ = false; ///< what a node sends comes back to itself
    std::array<std::unique_ptr<Port>, 2> ports_;
    uint64_t lookahead_ = 0;
};

} // namespace mcpi
