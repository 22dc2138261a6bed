// SPDX-License-Identifier: BSD-2-Clause
#include "core_ticks.h"

#include "base/error.h"
#include "base/text.h"

namespace mcpi::cores {
namespace {

constexpr unsigned ownerIssue = 0, kindWrite = 3; // rtl/counters/Owner, rtl/bus/MemoryBus
constexpr const char *causes[] = {"none", "bcache", "memory", "remote", "upgrade", "open"};
constexpr const char *kinds[] = {"bcache.fetches", "bcache.prefetches", "bcache.loads",
                                 "bcache.writes"};

/// In the order of a row: a signal, and the counter that it moves.
constexpr const char *pulses[][2] = {{"events.iAccess", "icache.accesses"},
                                     {"events.iMiss", "icache.misses"},
                                     {"events.iStreamHit", "icache.stream_hits"},
                                     {"events.dAccess", "dcache.accesses"},
                                     {"events.dMiss", "dcache.misses"},
                                     {"events.writeAccess", "write_buffer.accesses"},
                                     {"events.writeMerge", "write_buffer.merges"},
                                     {"cache.access", "bcache.accesses"},
                                     {"cache.miss", "bcache.misses"},
                                     {"cache.victim", "bcache.victims"},
                                     {"cache.busy", "bus.core_ticks"},
                                     {"events.takenBranch", "taken_branches"},
                                     {"events.mispredict", "mispredicts"},
                                     {"events.palMode", "pal_ticks"},
                                     {"cache.remote", "bcache.remote"},
                                     {"cache.upgrade", "bcache.upgrades"},
                                     {"cache.writeBack", "bcache.writebacks"},
                                     {"cache.snoop", "bcache.snoops"},
                                     {"cache.held", "bcache.snoop_hits"},
                                     {"cache.taken", "bcache.invalidated"},
                                     {"events.coherent.linked", "locks.linked"},
                                     {"events.coherent.conditional", "locks.conditional"},
                                     {"cache.waits", "bus.wait_ticks"}};

} // namespace

CoreTicks::CoreTicks(const CoherentRtl &node, const NodeInfo &info, unsigned core,
                     const std::string &folder)
    : core_(core), ownerNames_(info.owners), owner_(node.field("events.owner")),
      pc_(node.field("events.issuePc")), busWait_(node.field("events.coherent.busWait")),
      cause_(node.field("cache.cause")), access_(node.field("cache.access")),
      kind_(node.field("cache.kind")), failed_(node.field("events.coherent.failed")),
      decided_(node.field("events.coherent.conditional")),
      path_(folder + "/ticks." + std::to_string(core) + ".csv"), out_(path_) {
    for (const auto &pulse : pulses)
        pulses_.push_back(node.field(pulse[0]));
    out_ << "tick,count,owner,pc,cause,events\n";
}

void CoreTicks::tick(const CoherentRtl &node) {
    const auto told = [&](CoherentRtl::Bits bits) { return node.told(core_, bits); };
    const auto owner = told(owner_);
    const std::string pc = owner == ownerIssue ? hex(told(pc_)) : "";
    out_ << node.toldTick() << ",1," << (told(busWait_) ? "bus_wait" : ownerNames_[owner].c_str())
         << ',' << pc << ',' << causes[told(cause_)] << ',';
    const char *between = "";
    const auto add = [&](const char *counter) {
        out_ << between << counter;
        between = " ";
    };
    for (unsigned n = 0; n < pulses_.size(); ++n)
        if (told(pulses_[n]))
            add(pulses[n][1]);
    if (told(access_)) {
        add(kinds[told(kind_)]);
        if (told(kind_) == kindWrite)
            add("write_buffer.writes");
    }
    if (told(decided_) && told(failed_))
        add("locks.failed");
    out_ << '\n';
}

void CoreTicks::close() {
    if (!out_.flush())
        throw UserError(path_ + ": cannot be written.");
}

} // namespace mcpi::cores
