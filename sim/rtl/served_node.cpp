// SPDX-License-Identifier: BSD-2-Clause
#include "served_node.h"

namespace mcpi {

ServedNode::ServedNode(const Options &options)
    : machine_(options.machine), info_(options.nodeJson) {
    n_.load(machine_, info_, options, readProgram(machine_, options.nodes[0], 0), 0);
    n_.start(info_);
}

const std::string &ServedNode::console() {
    n_.link->poll();
    return n_.link->console;
}

} // namespace mcpi
