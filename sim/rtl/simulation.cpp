// SPDX-License-Identifier: BSD-2-Clause
#include "simulation.h"

#include <cinttypes>
#include <fstream>
#include <nlohmann/json.hpp>

namespace mcpi {
namespace {

constexpr uint64_t statusExited = 2, statusOwnersError = 4,
                   statusRefused = 64; // docs/reference/contracts.md 5

} // namespace

Simulation::Simulation(const Options &options)
    : Testbed(options, std::make_shared<Machine>(options.machine), NodeInfo(options.nodeJson)) {
    for (unsigned n = 0; n < 2; ++n)
        readProgram(*machine_, options_.nodes[n], n); // an error of its files comes first
    makeFolders();
}

void Simulation::begin() {
    for (unsigned n = 0; n < 2; ++n) {
        nodes_[n] = std::make_unique<RtlStation>(*machine_, info_, options_, n);
        attach(n, *nodes_[n]);
        nodes_[n]->watch(options_);
    }
    Testbed::begin();
    for (auto &node : nodes_)
        node->start();
}

void Simulation::look() {
    for (auto &node : nodes_)
        node->poll();
    options_.mode == Mode::gates ? askWhetherOver() : Testbed::look();
}

/// Ask by the host link whether a netlist's run is over, as a host asks a board.
void Simulation::askWhetherOver() {
    for (auto &node : nodes_)
        if (const uint64_t status = node->readRegister("status"); status & statusExited)
            node->hasExited(status >> 8 & 0xFF);
    measurement_.invocations = nodes_[0]->readRegister("invocations");
}

/// Take in what the run's ticks tell late: the text that guests have printed, the events of memory
/// in the last tick, and, in ticks that are not the run's, the retirement of what has issued.
void Simulation::settle() {
    collectFrames();
    for (auto &node : nodes_)
        node->end();
    settled_ = true;
    const uint64_t end = now_;
    for (unsigned n = 0; n < 8; ++n) {
        now_ += medium_.lookahead();
        advance();
    }
    now_ = end;
}

/// The first error is the one to tell.
void Simulation::settleAfterFailure() {
    if (!now_ || !between_ || settled_)
        return;
    const uint64_t end = now_;
    try {
        settle();
    } catch (const RunError &) {
        now_ = end;
    }
}

/// Counters stand still, and what has issued has retired: hardware and oracles must agree.
void Simulation::consultOracles() {
    for (unsigned n = 0; n < 2; ++n) {
        Oracle &oracle = *nodes_[n]->oracle();
        oracle.compare(now_ - 1, measurement_.counters[n]);
        std::fprintf(stderr, "oracle: node %u: %" PRIu64 " comparisons, no difference\n", n,
                     oracle.compared);
    }
}

void Simulation::finish() {
    settle();
    if (options_.oracle)
        consultOracles();
}

/// A mismatch has all of this in its own text.
void Simulation::failed(const RunError &error) {
    if (dynamic_cast<const Mismatch *>(&error))
        return;
    Testbed::failed(error);
    settleAfterFailure();
}

void Simulation::writeFiles() {
    Testbed::writeFiles();
    if (!options_.oracle)
        return;
    nlohmann::ordered_json numbers = nlohmann::ordered_json::array();
    for (const auto &node : nodes_) {
        const Oracle *oracle = node ? node->oracle() : nullptr;
        numbers.push_back(oracle ? oracle->numbers : decltype(oracle->numbers)());
    }
    std::ofstream(options_.out + "/oracle.json") << numbers.dump(1) << '\n';
}

void Simulation::judge(unsigned number) const {
    Testbed::judge(number);
    const std::string who = "node " + std::to_string(number);
    const uint64_t status = nodes_[number]->readRegister("status");
    if (status & statusRefused)
        throw RunError(who + ": a host register that is set before a run was written in it.");
    if (status & statusOwnersError)
        throw RunError(who + ": owners error: the owners' ticks do not sum up to ticks.");
}

} // namespace mcpi
