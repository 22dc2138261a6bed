// SPDX-License-Identifier: BSD-2-Clause
// Two nodes and a wire, in equal virtual time, from reset to the last file written.
#pragma once
#include <chrono>
#include <memory>

#include "medium.h"
#include "pathparts.h"
#include "setup.h"

namespace mcpi {

class Simulation {
  public:
    explicit Simulation(const Options &options);

    /// Runs to the end and writes every file. RunError says what went wrong; files that help to
    /// find out are written all the same.
    void run();

  private:
    struct Machinery {
        std::unique_ptr<Node> node;
        std::unique_ptr<HostLink> link;
        std::unique_ptr<Lockstep> lockstep;
        std::unique_ptr<Oracle> oracle;
        std::unique_ptr<TickLog> log;
        std::unique_ptr<PathTrace> trace;
        Program program;
    };

    void prepare(unsigned number);
    void loop();
    void advance();
    void marker(unsigned number, uint64_t tick, const Marker &marker);
    void atBoundary();
    uint64_t quietWindows() const;
    void checkHang();
    void askWhetherOver();
    void collectFrames();
    void progress(bool now);
    void writeFiles();
    void partFromCold();
    void startCold();
    void control(Machinery &m, uint64_t what);
    void consultOracles();
    void judge() const;

    Options options_;
    Machine machine_;
    NodeInfo info_;
    Medium medium_;
    std::array<Machinery, 2> m_;
    EventLog events_;
    std::vector<Passage> frames_;
    std::vector<Counters> counters_;
    uint64_t now_ = 0, invocations_ = 0;
    const uint64_t window_;                ///< ticks a node may run before the other
    uint64_t opened_ = 0;                  ///< so often node 0's window has opened
    uint64_t coldWanted_ = 0, coldAt_ = 0; ///< so often it had at the cold start
    bool coldEnded_ = false;
    PathParts parts_;             ///< of node 0
    uint64_t pendingControl_ = 0; ///< for the counters, at the next boundary outside the window
    bool inWindow_ = false;       ///< node 0 is on its path
    std::chrono::steady_clock::time_point begun_, said_;
};

} // namespace mcpi
