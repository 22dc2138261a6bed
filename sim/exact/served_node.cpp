// SPDX-License-Identifier: BSD-2-Clause
#include "served_node.h"

#include "checked.h"

namespace mcpi::exact {
namespace {

/// Of a peer's node nobody asks what it passes.
struct Nobody {
    void marker(uint64_t, const Marker &) const {}
    void coldStart() const {}
};

} // namespace

ServedNode::ServedNode(const Options &options)
    : skips_(!options.noSkip), node_(Machine(options.machine), checked(options), 0) {}

/// As of mcpi-sim, which looks tick by tick then.
uint64_t ServedNode::quietTicks(const Port &wire) const {
    return skips_ ? node_.quietTicks(wire) : 0;
}

void ServedNode::advance(uint64_t until, Port &wire) {
    node_.advance(until, wire, skips_, Nobody{});
}

} // namespace mcpi::exact
