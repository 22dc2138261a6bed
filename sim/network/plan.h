// SPDX-License-Identifier: BSD-2-Clause
// Plan of a network (scenario.md): nodes, switches, links between them, as tools/mcpi/engines/
// scenario.py writes it. Times are ticks, which are equally long on all nodes.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/program.h"

namespace mcpi {

struct NodePlan {
    std::string name, machine;
    NodeOptions files;
    bool ends = true; ///< the run lasts until its guest has exited
    /// Physical addresses, from and below: code in which the guest does nothing but wait for a
    /// frame.
    std::vector<std::pair<uint64_t, uint64_t>> waits;
};

struct SwitchPlan {
    std::string name;
    uint64_t latencyTicks = 0, queue = 0;
};

/// A full-duplex link.
struct LinkPlan {
    struct End {
        bool isSwitch = false;
        unsigned number = 0; ///< of the node, or of the switch
    };
    std::string name;
    uint64_t delayTicks = 0;
    std::array<End, 2> ends;
    std::array<std::vector<std::string>, 2> faults; ///< of what this end sends, key=value
};

struct NetworkPlan {
    uint64_t seed = 1, maxTicks = 0, nibbleTicks = 0, ticksPerUs = 0;
    std::vector<NodePlan> nodes;
    std::vector<SwitchPlan> switches;
    std::vector<LinkPlan> links;
};

/// UserError says what is wrong with the file.
NetworkPlan readPlan(const std::string &path);

} // namespace mcpi
