// SPDX-License-Identifier: BSD-2-Clause
// Command line of mcpi-sim; docs/reference/simulator.md lists it.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/backing_latency.h"
#include "base/program.h"
#include "log/spanlog.h"

namespace mcpi {

enum class Mode {
    run,   ///< two nodes, from reset to exit, with counters
    serve, ///< node 0 alone; its peer is on standard input and output
    board, ///< the nodes' host links are pseudo-terminals
    gates, ///< as run; the nodes are netlists: no retirement is seen, no tick skipped
};

struct Options {
    Mode mode = Mode::run;
    std::string out, machine, nodeJson, reproduce;
    std::string whatIf;   ///< file of ticks that take no time in copies of the run; none
    std::string forkCold; ///< folder of the same run with `cold`, made on the way; none
    std::array<NodeOptions, 2> nodes;
    uint64_t seed = 1, maxTicks = 0, hangTicks = 0, cable = 9;
    BackingLatency latency;
    unsigned withholdPercent = 0;        ///< clocks of a node without a tick, at random
    uint64_t backingBytes = 0;           ///< RAM below the tags; 0: all of the machine's
    unsigned pageBytes = 8192;           ///< its pages
    int tickLog = -1;                    ///< the node whose ticks are logged; none
    bool passages = false;               ///< each passage of a window is logged, of both nodes
    unsigned passagesOf = 1;             ///< that window
    bool evictions = false;              ///< who was in the lines that are filled in that window
    bool misses = false;                 ///< and which blocks are missed in the ticks of --tick-log
    bool spells = false;                 ///< owners between markers, steps of the LANCE, of both
    bool compress = false;               ///< files that grow with the run, once they are large
    int trace = -1;                      ///< the node whose path is traced; none
    bool live = false;                   ///< counters are printed on standard error on the way
    Span span;                           ///< ticks of both nodes that are logged; none
    int waves = -1;                      ///< the node whose signals are in waves.vcd; none
    std::vector<std::string> waveScopes; ///< only these instances of it, and what is in them
    bool byRegisters = false;            ///< measure_from and measure_to arm the counters
    bool loopback = false;               ///< of board: what a node sends comes back to itself
    bool lockstep = true, loadByLink = false, noSkip = false, cold = false, oracle = true;
};

/// Parse; prints help or a slip and ends the process (status 0 or 2) itself. `verilated`: the
/// program needs the Node.json of an elaboration.
Options parseOptions(int argc, char **argv, bool verilated = true);

} // namespace mcpi
