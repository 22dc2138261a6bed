// SPDX-License-Identifier: BSD-2-Clause
// Command line of mcpi-sim; docs/simulator.md lists it.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "backing.h"

namespace mcpi {

struct NodeOptions {
    std::string pal, image, markers;
    std::vector<std::string> boot; ///< FIELD=VALUE
    std::vector<std::pair<std::string, uint64_t>> registers;
    std::vector<std::string> wire; ///< faults of what this node sends, key=value
    uint64_t phase = 0;            ///< ticks to the first timer interrupt; 0: from the seed
};

struct Options {
    std::string out, machine, nodeJson, reproduce;
    std::string coldBeside; ///< folder of the same run with `cold`, made on the way; none
    std::array<NodeOptions, 2> nodes;
    uint64_t seed = 1, maxTicks = 0, hangTicks = 0, cable = 0;
    BackingLatency latency;
    uint64_t backingBytes = 0; ///< RAM below the tags; 0: all of the machine's
    unsigned pageBytes = 8192; ///< its pages
    int tickLog = -1;          ///< the node whose ticks are logged; none
    int trace = -1;            ///< the node whose path is traced; none
    bool record = false;       ///< all steps of both nodes
    bool byRegisters = false;  ///< measure_from and measure_to arm the counters
    bool serial = false;       ///< the nodes' consoles are pseudo-terminals
    bool looped = false;       ///< of --serial: what a node sends comes back to itself
    bool lockstep = true, loadByLink = false, noSkip = false, cold = false, oracle = true;
    bool netlist = false; ///< the nodes are gates: no retirement is seen, no tick skipped
    bool outside = false; ///< node 0 alone; its peer is on standard input and output
};

/// Parse; prints help or a slip and ends the process (status 0 or 2) itself.
Options parseOptions(int argc, char **argv);

} // namespace mcpi
