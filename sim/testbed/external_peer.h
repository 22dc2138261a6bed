// SPDX-License-Identifier: BSD-2-Clause
// A node with an external peer: frames come and go by lines of text, in the node's virtual time.
// For peers that are no part of the machine: Linux, stacks in Python.
#pragma once
#include <iosfwd>
#include <memory>

#include "base/machine.h"
#include "options.h"
#include "station.h"

namespace mcpi {

class ExternalPeer {
  public:
    ExternalPeer(const Options &options, Station &station);

    /// Lines in and out until `in` ends; simulator.md has them. RunError as in Simulation.
    void run(std::istream &in, std::ostream &out);

  private:
    void command(const std::string &line, std::ostream &out);
    void deliver(const std::string &hex);
    void runUntil(uint64_t tick, std::ostream &out);

    Options options_;
    Station &station_;
    LineConfig wire_;
    std::unique_ptr<Line> toOutside_, toNode_;
    std::unique_ptr<Port> port_;
    uint64_t now_ = 0;
    uint64_t free_ = 0; ///< when the next frame to the node may begin
};

} // namespace mcpi
