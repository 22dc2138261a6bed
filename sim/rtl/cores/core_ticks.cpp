// SPDX-License-Identifier: BSD-2-Clause
#include "core_ticks.h"

#include "base/error.h"
#include "base/text.h"

namespace mcpi::cores {
CoreTicks::CoreTicks(const CoherentRtl &node, const NodeInfo &info, unsigned core,
                     const std::string &folder)
    : core_(core), events_(tracedEvents(info, true)), owner_(node.field("events.owner")),
      pc_(node.field("events.issuePc")), busWait_(node.field("events.coherent.busWait")),
      cause_(node.field("cache.cause")), path_(folder + "/ticks." + std::to_string(core) + ".csv"),
      out_(path_) {
    for (const TracedEvent &one : tracedEvents(info, false))
        events_.push_back(one);
    out_ << "tick,count,owner,pc,cause,events\n";
}

void CoreTicks::tick(const CoherentRtl &node) {
    const uint32_t *const trace = node.trace(core_);
    const auto owner = static_cast<unsigned>(traced(trace, owner_));
    const bool issues = owner == static_cast<unsigned>(Owner::issue);
    const std::string pc = issues ? hex(traced(trace, pc_)) : "";
    out_ << node.tracedTick() << ",1," << (traced(trace, busWait_) ? "bus_wait" : ownerNames[owner])
         << ',' << pc << ',' << causeNames[traced(trace, cause_)] << ',';
    const char *between = "";
    for (const TracedEvent &one : events_)
        if (one.counts(trace)) {
            out_ << between << nameOf(one.event);
            between = " ";
        }
    out_ << '\n';
}

void CoreTicks::close() {
    if (!out_.flush())
        throw UserError(path_ + ": cannot be written.");
}

} // namespace mcpi::cores
