// SPDX-License-Identifier: BSD-2-Clause
#include "loaded_node.h"

#include "testbed/hang.h"

namespace mcpi {

NodeConfig nodeConfig(const Machine &machine, const NodeInfo &info, const Options &options,
                      unsigned number) {
    NodeConfig config;
    config.number = number;
    config.ramBytes = machine.parameter("memory.size");
    config.backingBytes = options.backingBytes ? options.backingBytes : config.ramBytes;
    config.pageBytes = options.pageBytes;
    config.latency = options.latency;
    config.latency.seed += number;
    config.exitAddress = machine.base("io", "system") + machine.offset("system", "console_exit");
    config.info = info;
    return config;
}

void LoadedNode::load(const Machine &machine, const NodeInfo &info, const Options &options,
                      const Program &program, unsigned number) {
    number_ = number;
    node = std::make_unique<Node>(nodeConfig(machine, info, options, number));
    link = std::make_unique<HostLink>(*node);
    link->ping();
    loadProgram(program, node->backing, *link, options.loadByLink);
    writeRegisters(machine, info, options.nodes[number], options.seed, number, program, *link);
    node->skipping = !options.noSkip;
    if (!options.lockstep)
        return;
    lockstep = std::make_unique<Lockstep>(machine, number, options.reproduce);
    for (const auto &s : program.segments)
        lockstep->place(s);
    lockstep->start();
    node->lockstep = lockstep.get();
}

void LoadedNode::checkHang(const NodeInfo &info, uint64_t now, uint64_t patience) const {
    if (node->exited() || now - node->lastRetirement() < patience)
        return;
    hangs(number_, node->lastRetirement(), node->lastPc(), node->instructions(),
          link->readRegister(info.number("status")) & 1);
}

} // namespace mcpi
