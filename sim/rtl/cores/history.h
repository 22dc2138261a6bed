// SPDX-License-Identifier: BSD-2-Clause
// Acts of cores and the snooping bus, as mcpi-exact writes it (history.csv, docs/reference/
// simulator.md). What an access had for address and data comes with its retirement: rows wait.
#pragma once
#include <cstdint>
#include <deque>
#include <fstream>
#include <string>
#include <vector>

#include "coherent_rtl.h"

namespace mcpi::cores {

class History {
  public:
    History(CoherentRtl &node, const NodeInfo &info, const Machine &machine,
            const std::string &folder);
    /// The node's last tick.
    void tick();
    /// The ticks from this one on are left out.
    void end(uint64_t tick) { end_ = tick; }
    /// An instruction with a row has not retired.
    bool waits() const;
    /// UserError if not all could be written.
    void close();

  private:
    struct Row {
        uint64_t tick;
        unsigned core;
        const char *what;
        uint64_t at;
        std::string more;
        bool known; ///< `at` and `more` are
        bool content = false;
    };
    struct Core {
        std::deque<Row *> stores; ///< one for each instruction that has not retired
        std::deque<Row *> loads;  ///< null: it has missed
        std::deque<Row *> misses, linked, verdicts;
    };
    struct Fields {
        CoherentRtl::Bits owner, dAccess, dMiss, linked, conditional, failed, buffered, takes, kind,
            taking, address, decides, state, drops, acts, retires, instruction, memory, store, io,
            at, value, data;
    };

    Row *add(unsigned core, const char *what, uint64_t at, const std::string &more, bool known);
    void contents();
    void order();
    void core(unsigned number);
    void retired(unsigned number);
    bool is(unsigned core, CoherentRtl::Bits bits) const { return node_.value(core, bits) != 0; }
    void write(uint64_t before);

    CoherentRtl &node_;
    Fields f_;
    uint64_t blockBytes_, now_ = 0, end_ = ~uint64_t{0};
    std::string path_;
    std::ofstream out_;
    std::deque<Row> rows_; ///< in order; a reference to one stays good
    std::vector<Core> cores_;
    struct Command {
        uint64_t block = 0;
        unsigned kind = 0;
    };
    std::vector<Command> commands_; ///< of the private caches
};

} // namespace mcpi::cores
