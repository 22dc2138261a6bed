// SPDX-License-Identifier: BSD-2-Clause
// ticks.K.csv: every tick of a core, its owner, its cause, what else was counted in it
// (docs/explanation/multiprocessor.md). A row is written a tick late, when it is known whether the
// core's request was granted in it.
#pragma once
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "coherent_rtl.h"

namespace mcpi::cores {

class CoreTicks {
  public:
    CoreTicks(const CoherentRtl &node, const NodeInfo &info, const Machine &machine, unsigned core,
              const std::string &folder);
    /// What the core told of the node's last tick.
    void tick(const CoherentRtl &node);
    /// No more ticks.
    void close();

  private:
    enum Cause { none, bcache, memory, remote, upgrade, open };
    struct Command {
        unsigned kind;
        bool conditional;
        uint64_t block;
        bool asks = false, upgrades = false;
        Cause cause = open;
    };
    struct Row {
        uint64_t tick, pc;
        unsigned owner;
        uint64_t events;
        Cause cause;
        bool waits;
    };
    struct Signal {
        CoherentRtl::Bits bits;
        unsigned event;
    };

    bool is(const CoherentRtl &node, CoherentRtl::Bits bits) const;
    void add(const char *event);
    void access();
    void miss();
    void ordered(const CoherentRtl &node);
    void decides(const CoherentRtl &node);
    void write(const Row &row);

    unsigned core_;
    std::vector<std::string> ownerNames_;
    uint64_t offset_; ///< bits of an address within a b-cache block
    std::vector<Signal> signals_;
    CoherentRtl::Bits owner_, pc_, takes_, kind_, conditional_, address_, ends_, decided_, failed_,
        waits_, decides_, state_, drops_, asks_, held_{}, victim_{};
    bool snoops_, tellsVictims_;
    std::optional<Command> command_;
    Row row_{};
    std::optional<Row> before_;
    std::ofstream out_;
    std::string path_;
};

} // namespace mcpi::cores
