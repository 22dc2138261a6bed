// SPDX-License-Identifier: BSD-2-Clause
#include "node.h"

#include <algorithm>

#include "exact/core/glide.h"

namespace mcpi::exact {

Node::Node(const Machine &m, const NodeSetting &setting)
    : devices_(m, setting), core_(m, devices_.ram, *this), start_(m.base("ram", "pal")) {}

Node::Node(const Node &other)
    : devices_(other.devices_), core_(other.core_, devices_.ram, *this), start_(other.start_),
      vanished_(other.vanished_), moved_(other.moved_) {}

void Node::place(const Segment &s) {
    devices_.ram.put(s.address, s.bytes);
}

/// The order of parts within a tick.
const TickRun &Node::step(Port &wire, uint64_t until) {
    const bool line = devices_.line();
    const uint64_t tick = now();
    if (tick >= devices_.next() && tick != moved_)
        devices_.at(tick, wire, *this);
    if (line != devices_.line()) // which acts in the next tick
        until = tick + 1;
    return core_.step(ofCore(std::min({until, devices_.next(), devices_.system.nextTimer()})));
}

template <typename Sink> void Node::glide(uint64_t until, Sink &sink) {
    core_.glide(ofCore(std::min({until, devices_.next(), devices_.system.nextTimer()})), sink);
}
template void Node::glide<Tally>(uint64_t, Tally &);
template void Node::glide<Runs>(uint64_t, Runs &);
template void Node::glide<Unseen>(uint64_t, Unseen &);

uint64_t Node::quietTicks(const Port &wire) const {
    const uint64_t tick = now();
    const uint64_t due = std::min(
        {world(core_.next()), devices_.next(), devices_.system.nextTimer(), wire.next(tick)});
    return due > tick ? due - tick : 0;
}

} // namespace mcpi::exact
