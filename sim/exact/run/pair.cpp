// SPDX-License-Identifier: BSD-2-Clause
#include "pair.h"

#include "checked.h"

namespace mcpi::exact {

Pair::Pair(const Options &options)
    : Pair(checked(options), std::make_shared<Machine>(options.machine)) {}

Pair::Pair(const Options &options, std::shared_ptr<const Machine> machine)
    : Testbed(options, machine, CounterBanks::info(*machine)),
      nodes_{WatchedNode(*machine_, options, 0), WatchedNode(*machine_, options, 1)} {
    attachNodes();
}

Pair::Pair(const Pair &other, const std::string &out) : Testbed(other, out), nodes_(other.nodes_) {
    attachNodes();
}

void Pair::attachNodes() {
    makeFolders();
    for (unsigned n = 0; n < 2; ++n)
        attach(n, nodes_[n]);
}

} // namespace mcpi::exact
