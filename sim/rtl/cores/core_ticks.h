// SPDX-License-Identifier: BSD-2-Clause
// ticks.K.csv: every tick of a core, its owner, its cause, what else was counted in it
// (docs/explanation/multiprocessor.md).
#pragma once
#include <fstream>
#include <string>
#include <vector>

#include "coherent_rtl.h"

namespace mcpi::cores {

class CoreTicks {
  public:
    CoreTicks(const CoherentRtl &node, const NodeInfo &info, unsigned core,
              const std::string &folder);
    /// Writes the row of the node's last tick.
    void tick(const CoherentRtl &node);
    /// UserError if not all could be written.
    void close();

  private:
    unsigned core_;
    std::vector<TracedEvent> events_;
    CoherentRtl::Bits owner_, pc_, busWait_, cause_;
    std::string path_;
    std::ofstream out_;
};

} // namespace mcpi::cores
