// SPDX-License-Identifier: BSD-2-Clause
#include "pair.h"

#include <algorithm>

#include "checked.h"

namespace mcpi::exact {

Pair::Pair(const Options &options)
    : Pair(checked(options), std::make_shared<Machine>(options.machine)) {}

Pair::Pair(const Options &options, std::shared_ptr<const Machine> machine)
    : Testbed(options, machine, CounterBanks::info(*machine)),
      nodes_{WatchedNode(*machine_, options, 0), WatchedNode(*machine_, options, 1)} {
    attachNodes();
}

Pair::Pair(const Pair &other, const std::string &out)
    : Testbed(other, out), nodes_(other.nodes_), standing_(other.standing_),
      failure_(other.failure_) {
    attachNodes();
}

/// False: it has stopped, or its run went wrong.
bool Pair::runs(unsigned node, uint64_t until) {
    try {
        nodes_[node].advance(until, medium_.port(node));
        return !nodes_[node].stopped();
    } catch (const RunError &error) {
        failure_ = error.what();
        return false;
    }
}

void Pair::standAt(uint64_t tick, Probe *probe) {
    for (WatchedNode &node : nodes_)
        node.probe(probe);
    bool goesOn = true;
    try {
        start();
        while (goesOn && standing_ < tick && !ended() && failure_.empty()) {
            if (standing_ == now_)
                openWindow();
            uint64_t to = std::min(tick, now_);
            for (unsigned n = 0; n < 2; ++n) {
                goesOn &= runs(n, to);
                to = std::min(to, nodes_[n].node().now());
            }
            standing_ = to;
            apart_ = nodes_[0].node().now() > to;
            if (standing_ == now_ && !apart_)
                closeWindow();
        }
    } catch (const RunError &error) {
        failure_ = error.what();
    }
    for (WatchedNode &node : nodes_)
        node.probe(nullptr);
}

void Pair::attachNodes() {
    makeFolders();
    for (unsigned n = 0; n < 2; ++n)
        attach(n, nodes_[n]);
}

} // namespace mcpi::exact
