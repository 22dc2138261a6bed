// SPDX-License-Identifier: BSD-2-Clause
#include "served_node.h"

#include "checked.h"

namespace mcpi::exact {
namespace {

/// Sink that drops the events of a peer's node.
struct Nobody {
    void marker(uint64_t, const Marker &) const {}
    void coldStart() const {}
};

} // namespace

ServedNode::ServedNode(const Options &options)
    : skips_(!options.noSkip), node_(Machine(options.machine), checked(options), 0) {}

/// Number of quiet ticks, as in mcpi-sim, which goes tick by tick then.
uint64_t ServedNode::quietTicks(const Port &wire) const {
    return skips_ ? node_.quietTicks(wire) : 0;
}

void ServedNode::advance(uint64_t until, Port &wire) {
    node_.advance(until, wire, skips_, Nobody{});
}

} // namespace mcpi::exact
