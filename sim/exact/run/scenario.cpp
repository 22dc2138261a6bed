// SPDX-License-Identifier: BSD-2-Clause
#include "scenario.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "base/error.h"
#include "network/network.h"
#include "testbed/hang.h"
#include "watched_node.h"

namespace mcpi::exact {
namespace {

constexpr unsigned pairs = 2;       // nodes whose phases are those of a pair
constexpr unsigned ownPhases = 100; // which phases are drawn for other nodes

/// A node and what the plan says of it.
struct Member {
    Machine machine;
    WatchedNode node;
    Member(const NodePlan &plan, const NetworkPlan &network, const std::string &out,
           unsigned number)
        : machine(plan.machine),
          node(machine, options(network, out), files(plan, network, number), number) {}

    static Options options(const NetworkPlan &network, const std::string &out) {
        Options o;
        o.out = out;
        o.seed = network.seed;
        o.passages = true;
        o.oracle = false;
        return o;
    }
    NodeOptions files(const NodePlan &plan, const NetworkPlan &network, unsigned number) const {
        NodeOptions given = plan.files;
        if (number >= pairs)
            given.phase =
                1 + phaseFromSeed(network.seed, ownPhases + number, machine.timerPeriod());
        return given;
    }
};

/// The guest is in code that waits for a frame, and no interrupt can lead it out.
bool waitsForFrame(const Node &node, const NodePlan &plan) {
    const alpha::Cpu &cpu = node.core().cpu();
    const uint64_t pc = cpu.pc & physicalMask;
    return !cpu.internal.interruptEnable &&
           std::any_of(plan.waits.begin(), plan.waits.end(),
                       [pc](const auto &code) { return code.first <= pc && pc < code.second; });
}

void judge(const NodePlan &plan, const WatchedNode &node, uint64_t now) {
    if (const int code = node.exitCode(now); code > 0)
        throw RunError(plan.name + " ended with exit code " + std::to_string(code) + ".");
}

} // namespace

void runScenario(const std::string &file, const std::string &out) {
    const NetworkPlan plan = readPlan(file);
    std::vector<std::unique_ptr<Member>> members;
    std::vector<Station *> stations;
    for (unsigned n = 0; n < plan.nodes.size(); ++n) {
        members.push_back(std::make_unique<Member>(plan.nodes[n], plan, out, n));
        stations.push_back(&members.back()->node);
    }
    Network network(plan, stations, out);
    const auto began = std::chrono::steady_clock::now();
    const auto write = [&] {
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
        network.write(wall.count(), [&](unsigned n) { return members[n]->node.ended(); });
    };
    try {
        network.run(
            [&](unsigned n) { return waitsForFrame(members[n]->node.node(), plan.nodes[n]); },
            patience(0, members.front()->machine));
    } catch (const RunError &) {
        write();
        throw;
    }
    write();
    for (unsigned n = 0; n < plan.nodes.size(); ++n)
        judge(plan.nodes[n], members[n]->node, network.now());
}

} // namespace mcpi::exact
