// SPDX-License-Identifier: BSD-2-Clause
// A node of several cores in RTL, from reset to its end, and its files
// (docs/reference/simulator.md).
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/counters.h"
#include "base/markers.h"
#include "base/program.h"
#include "coherent_rtl.h"
#include "core_ticks.h"
#include "history.h"
#include "testbed/core_logs.h"
#include "testbed/standstill.h"

namespace mcpi::cores {

struct CoresOptions {
    std::string machine, nodeJson, out; ///< no `out`: no files
    NodeOptions node;
    BackingLatency latency;
    unsigned withholdPercent = 0;                  ///< clocks without a tick, at random
    uint64_t maxTicks = 0, hangTicks = 10'000'000; ///< 0: no limit
    uint64_t seed = 1;
    bool ticks = false;   ///< ticks.K.csv: every tick of each core
    bool history = false; ///< history.csv: what cores and bus did
    CoreLogOptions logs;
};

class Cores {
  public:
    explicit Cores(const CoresOptions &options);
    /// Runs to the end and writes every file; RunError says what went wrong. The exit code.
    unsigned run();
    const std::string &console() const { return link_->console; }

  private:
    void runTick();
    bool observe();
    void observe(unsigned core);
    void log(unsigned core, unsigned owner, uint64_t pc);
    void retired(unsigned core);
    void marker(const Marker &marker);
    void look();
    void control(uint64_t what);
    void copy();
    void checkHang() const;
    std::string where() const;
    void writeFiles();
    void writeCounters() const;
    void endHistory();

    CoresOptions options_;
    Machine machine_;
    NodeInfo info_;
    Program program_;
    std::unique_ptr<CoherentRtl> node_;
    std::unique_ptr<HostLink> link_;
    MarkerTable markers_;
    CoherentRtl::Bits owner_, pc_, halted_;
    struct Issued {
        uint64_t tick = 0, pc = 0, instructions = 0;
    };
    std::vector<Issued> issued_; ///< by core: the last
    std::vector<std::unique_ptr<CoreTicks>> ticks_;
    std::unique_ptr<History> history_;
    std::optional<CoreLogs> logs_;
    std::vector<TracedEvent> events_; ///< for the logs
    CoherentRtl::Bits busWait_;
    struct Retired {
        CoherentRtl::Bits valid, pc, instruction, writes, reg, value, io;
    } retired_;
    std::vector<Standstill::Registers> registers_; ///< by core, as retired instructions left them
    Standstill standstill_;
    uint64_t due_ = 0;           ///< what counters are to do after this tick
    uint64_t from_ = 0, to_ = 0; ///< ticks of the measurement
    bool copied_ = false;
    std::vector<Counters> counters_; ///< by core
    std::vector<uint64_t> bus_;      ///< in the order of `busCounters`
    uint64_t end_ = 0;               ///< ticks of the run
    unsigned exitCode_ = 0;
};

} // namespace mcpi::cores
