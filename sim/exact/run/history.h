// SPDX-License-Identifier: BSD-2-Clause
// Acts of cores and the snooping bus, in the order of ticks and of the steps within a tick, for a
// checker that works it out anew (history.csv, docs/reference/simulator.md).
#pragma once
#include <fstream>
#include <string>

#include "exact/node/coherent_node.h"

namespace mcpi::exact {

class History {
  public:
    History(const std::string &path, uint64_t blockBytes);

    /// The tick that the node has run last.
    void tick(CoherentNode &node);

  private:
    void row(uint64_t tick, unsigned place, const char *what, uint64_t at, const std::string &more);
    void core(CoherentNode &node, uint64_t tick, unsigned number);

    std::ofstream out_;
    uint64_t blockBytes_;
};

} // namespace mcpi::exact
