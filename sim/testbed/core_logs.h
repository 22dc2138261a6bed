// SPDX-License-Identifier: BSD-2-Clause
// Logs of the cores of one node: passages of each, the ticks of one, and when each passed its
// markers.
#pragma once
#include <string>
#include <vector>

#include "log/events.h"
#include "log/ticklog.h"
#include "machines/counters.h"

namespace mcpi {

struct CoreLogOptions {
    bool passages = false; ///< passages.K.csv of each core, events.csv and stamps.csv
    int tickLog = -1;      ///< the core whose path's ticks are in ticks.csv; none
    bool wanted() const { return passages || tickLog >= 0; }
};

class CoreLogs {
  public:
    CoreLogs(const std::vector<std::string> &owners, unsigned cores, const CoreLogOptions &options,
             const std::string &folder);
    /// The instruction at the marker has issued in this tick, which follows.
    void marker(unsigned core, uint64_t tick, const Marker &marker);
    /// Ticks of a core that are alike. `events`: of each; `again`: those that happened twice.
    void tick(unsigned core, uint64_t tick, unsigned owner, uint64_t pc, uint64_t count,
              uint64_t events, uint64_t again);
    /// All cores have run to this tick.
    void settle(uint64_t tick) { stamps_.settle(tick); }
    void write();

  private:
    std::string folder_;
    unsigned idle_ = 0; ///< its number among the owners
    EventLog stamps_;
    std::vector<TickLog> cores_;
};

} // namespace mcpi
