// SPDX-License-Identifier: BSD-2-Clause
// A node of several cores, from reset to its end: counters of each core, logs, files
// (docs/reference/simulator.md).
#pragma once
#include <fstream>
#include <memory>
#include <optional>

#include "base/markers.h"
#include "base/program.h"
#include "exact/node/coherent_node.h"
#include "exact/node/counters.h"
#include "history.h"
#include "lock_log.h"
#include "log/spanlog.h"
#include "testbed/core_logs.h"
#include "testbed/standstill.h"

namespace mcpi::exact {

struct CoresOptions {
    std::string machine, out; ///< no `out`: no files
    NodeOptions node;
    uint64_t maxTicks = 0, hangTicks = 10'000'000; ///< 0: no limit
    uint64_t seed = 1;
    bool history = false; ///< history.csv: what cores and bus did
    bool ticks = false;   ///< ticks.K.csv: every tick of each core
    CoreLogOptions logs;
    std::vector<uint64_t> span; ///< FROM and UNTIL of span.K.csv and accesses.K.csv; none
    unsigned spanOf = 0;        ///< K, a core
    std::vector<std::string> take, release; ///< locks.json: functions of locks, addresses in hex
};

/// A wire that nobody sends on.
Port &silent();
/// Make the node with its program, as after reset, and `markers`, its comparators.
std::unique_ptr<CoherentNode> reset(const Machine &machine, const CoresOptions &options,
                                    MarkerTable &markers);

class Cores {
  public:
    explicit Cores(const CoresOptions &options);
    /// Runs to the end and writes every file; RunError says what went wrong. The exit code.
    unsigned run();
    const std::string &console() const { return node_->system().console; }

  private:
    void observe(const TickRun &run);
    void watch();
    void collect(unsigned core);
    void collect();
    void marker(unsigned core, uint64_t tick, const Marker &marker);
    void control(uint64_t what);
    void checkHang();
    void look();
    void logSpan(const TickRun &run);
    /// Each instruction is looked at as it issues: no core glides.
    bool steps() const { return history_ || span_ || standstill_.looks(); }
    uint64_t until() const;
    std::string where();
    void writeFiles();
    void writeCounters() const;

    CoresOptions options_;
    Machine machine_;
    NodeInfo info_;
    MarkerTable markers_;
    std::unique_ptr<CoherentNode> node_;
    std::vector<CounterBanks> counters_;
    struct Issued {
        uint64_t tick = 0, pc = 0, instructions = 0;
    };
    std::vector<Issued> issued_; ///< by core: the last
    CoherentNode::Watch watch_;
    std::vector<std::ofstream> ticks_;
    std::optional<History> history_;
    std::optional<LockLog> locks_;
    std::optional<CoreLogs> logs_;
    std::optional<SpanLog> span_;
    Standstill standstill_;
    uint64_t due_ = 0; ///< what counters are to do after this tick
    memory::SnoopBus::Counts busFrom_{0, 0, 0}, bus_{0, 0, 0};
    uint64_t from_ = 0, to_ = 0; ///< ticks of the measurement
    std::vector<Counters> copies_;
};

} // namespace mcpi::exact
