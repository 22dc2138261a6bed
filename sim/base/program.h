// SPDX-License-Identifier: BSD-2-Clause
// Input of a node, and the part of it that a seed decides.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "loader.h"
#include "machine.h"

namespace mcpi {

/// Options of one node on the command line.
struct NodeOptions {
    std::string pal, image, markers;
    std::string calls;     ///< a file of places at which registers are logged (log/calllog.h)
    std::string guard;     ///< a file with the program's bounds (check/program/program_guard.h)
    std::string unwritten; ///< a file with memory nobody wrote (check/program/unwritten.h)
    std::vector<std::string> boot; ///< FIELD=VALUE
    std::vector<std::pair<std::string, uint64_t>> registers;
    std::vector<std::string> wire; ///< faults of what this node sends, key=value
    uint64_t phase = 0;            ///< ticks to the first timer interrupt; 0: from the seed
};

/// Input of one node.
struct Program {
    std::vector<Segment> segments; ///< PALcode, image, boot-parameter block
    std::vector<Marker> markers;
};

/// Read and check the files of node `number`.
Program readProgram(const Machine &machine, const NodeOptions &given, unsigned number);

/// The markers that need a comparator, in the order of their numbers. UserError if there are more
/// than there are comparators, or for a window that there is not.
std::vector<Marker> comparators(const Program &program, const NodeInfo &info, unsigned number);

/// Which phase is drawn from the seed; one for each node or direction.
enum PhaseIndex : unsigned { phaseTimer = 0, phaseWire = 2, phasePoll = 4 };

/// Initial phases from a seed: the `which`-th of them, below `limit`.
uint64_t phaseFromSeed(uint64_t seed, unsigned which, uint64_t limit);

} // namespace mcpi
