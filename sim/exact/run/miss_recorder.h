// SPDX-License-Identifier: BSD-2-Clause
// The blocks that a node's caches miss in the window of its tick log, and what they displace:
// misses.N.csv (docs/reference/simulator.md). It only looks at the node, before and after a step.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "base/machine.h"
#include "base/spool.h"
#include "exact/node/node.h"
#include "log/miss_classes.h"

namespace mcpi::exact {

class MissRecorder {
  public:
    /// UserError for ideal memory, whose caches it does not follow.
    MissRecorder(const Machine &machine, const std::string &folder, unsigned node);

    /// The node is about to step.
    void before(const Core &core);
    /// It has. `counts`: in the window.
    void after(const Core &core, const TickRun &run, bool counts);
    void write();

  private:
    static constexpr uint64_t none = memory::noBlock;
    /// A miss, or a block of a victim cache. `evicted`: a block; `ends`: nothing more will come.
    struct Row {
        uint64_t tick;
        char cache;
        const char *kind, *missClass;
        uint64_t pc; ///< as in ticks.csv
        uint64_t address, evicted;
        bool counts, ends;
    };
    /// A cache's classes of misses, and the row whose block has not come.
    struct Level {
        explicit Level(uint64_t blocks) : classes(blocks) {}
        MissClasses classes;
        Row *waits = nullptr;
    };

    void executes(const memory::Hierarchy &memory, const TickRun &run, bool counts);
    void fetches(const memory::Hierarchy &memory, const TickRun &run, bool counts);
    void usesBus(const memory::Hierarchy &memory, const TickRun &run, bool counts);
    void drops(const memory::Hierarchy &memory);
    Row *add(const Row &row);
    static void ends(Level &level, uint64_t evicted);
    void settle();

    std::string file_;
    Spool text_;
    std::deque<Row> rows_; ///< those that are not written, by tick
    uint64_t blockBytes_;
    Level i_, d_, b_;
    std::vector<uint64_t> bcache_; ///< its blocks, by line

    // State when the step begins.
    uint64_t wanted_ = 0;                                    ///< pc of stage D's instruction
    uint64_t wantedAt_ = 0;                                  ///< where that is in memory
    uint64_t tag_ = 0;                                       ///< its block, as the I-cache names it
    uint64_t there_ = none, lineOfFill_ = 0, atLine_ = none; ///< what a block would displace
    bool filled_ = false;                                    ///< the D-cache waits for a block
    memory::Step issued_;                                    ///< in stage E1, if it accesses memory
    uint64_t issuedAt_ = 0;                                  ///< its pc
    uint64_t loadAt_ = 0;                                    ///< where the last load that missed is
};

} // namespace mcpi::exact
