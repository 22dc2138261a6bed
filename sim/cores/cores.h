// SPDX-License-Identifier: BSD-2-Clause
// One node of several cores in RTL, from reset to its end, and its files
// (docs/reference/simulator.md).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/markers.h"
#include "base/program.h"
#include "coherent_rtl.h"
#include "core_ticks.h"

namespace mcpi::cores {

struct CoresOptions {
    std::string machine, nodeJson, out; ///< no `out`: no files
    NodeOptions node;
    BackingLatency latency;
    uint64_t maxTicks = 0, hangTicks = 10'000'000; ///< 0: no limit
    uint64_t seed = 1;
    bool ticks = false; ///< ticks.K.csv: every tick of each core
};

class Cores {
  public:
    explicit Cores(const CoresOptions &options);
    /// Runs to the end and writes every file; RunError says what went wrong. The exit code.
    unsigned run();
    const std::string &console() const { return link_->console; }

  private:
    void lives();
    void observe(unsigned core);
    void checkHang() const;
    std::string where() const;
    void writeFiles();

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
};

} // namespace mcpi::cores
