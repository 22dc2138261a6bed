// SPDX-License-Identifier: BSD-2-Clause
// Two nodes and a wire, in equal virtual time, from reset to the last file written.
#pragma once
#include <chrono>
#include <memory>

#include "linked_counters.h"
#include "loaded_node.h"
#include "testbed/medium.h"

namespace mcpi {

class Simulation {
  public:
    explicit Simulation(const Options &options);

    /// Runs to the end and writes every file. RunError says what went wrong; files that help to
    /// find out are written all the same.
    void run();

  private:
    struct Machinery : LoadedNode {
        std::unique_ptr<Oracle> oracle;
        std::unique_ptr<TickLog> log;
        std::unique_ptr<SpanLog> span;
        std::unique_ptr<PathTrace> trace;
        std::unique_ptr<CallLog> calls;
        std::unique_ptr<ProgramGuard> guard;
        std::unique_ptr<LinkedCounters> counters;
        Program program;
        uint64_t issued = 0; ///< instructions, until the run was over
        std::string console; ///< likewise
    };

    void prepare(unsigned number);
    void loop();
    void advance();
    uint64_t quietWindows() const;
    void askWhetherOver();
    void collectFrames();
    void progress(bool now);
    void writeFiles();
    void settle();
    void settleAfterFailure();
    void consultOracles();
    void judge() const;

    Options options_;
    Machine machine_;
    NodeInfo info_;
    Medium medium_;
    std::array<Machinery, 2> m_;
    EventLog events_;
    std::vector<Passage> frames_;
    Measurement measurement_;
    uint64_t now_ = 0;
    bool between_ = true;   ///< both nodes are at `now_`
    bool settled_ = false;  ///< the run is over, and all of it is known
    const uint64_t window_; ///< ticks a node may run before the other
    std::chrono::steady_clock::time_point begun_, said_;
};

} // namespace mcpi
