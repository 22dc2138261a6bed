// SPDX-License-Identifier: BSD-2-Clause
#include "cores.h"

#include <algorithm>

#include "base/error.h"
#include "exact_answers.h"

namespace mcpi::debug {

using exact::TickRun;

Cores::Cores(const exact::CoresOptions &options)
    : options_(options), machine_(std::make_shared<Machine>(options.machine)),
      markers_(std::vector<Marker>()), node_(exact::reset(*machine_, options, markers_)) {
    for (unsigned n = 0; n < node_->cores(); ++n)
        counters_.emplace_back(*machine_);
    issued_.resize(node_->cores());
    for (unsigned n = 0; n < node_->cores(); ++n)
        node_->core(n).watch();
}

Cores::Cores(const Cores &other)
    : options_(other.options_), machine_(other.machine_), markers_(other.markers_),
      node_(std::make_unique<exact::CoherentNode>(*other.node_)), counters_(other.counters_),
      issued_(other.issued_), failure_(other.failure_) {}

/// With a probe no core lags behind, so that it sees the cores at each tick.
void Cores::standAt(uint64_t tick, exact::Probe *probe) {
    stopped_ = false;
    const uint64_t last = std::min(tick, options_.maxTicks);
    while (standing() < last && !ended() && failure_.empty() && !stopped_) {
        if (node_->halted()) {
            failure_ = "all cores have halted at tick " + std::to_string(standing()) + ".";
            break;
        }
        try {
            for (const TickRun &run : node_->step(exact::silent(), probe ? standing() + 1 : last)) {
                stopped_ |= probe && probe->after(run.core, run);
                observe(run);
            }
        } catch (const RunError &error) {
            failure_ = error.what();
        }
    }
    if (standing() < tick && standing() == options_.maxTicks && !ended())
        failure_ = "gave up at tick " + std::to_string(standing()) + " (--max-ticks).";
    for (const TickRun &run : node_->step(exact::silent(), standing())) // of cores that lag
        observe(run);
}

/// A core sees its own store as it issues. What comes to memory, all see in that tick; what DMA has
/// brought there is of no core.
unsigned Cores::writer(uint64_t physical, uint64_t bytes, unsigned sees) const {
    const auto overlaps = [=](uint64_t at, uint64_t size) {
        return at < physical + bytes && physical < at + size;
    };
    const exact::Core &own = core(sees);
    if (own.storing() && overlaps(own.stored().address, own.stored().bytes))
        return sees;
    const uint64_t blockBytes = machine_->parameter("cache.block");
    for (unsigned n = 0; n < threads(); ++n)
        if (const auto &one = core(n).written();
            one.tick + 1 == own.now() && overlaps(one.block * blockBytes, blockBytes))
            return n;
    return sees;
}

std::optional<std::string> Cores::answer(Timeline &timeline, const std::string &word,
                                         const std::string &argument, unsigned core) {
    return exactAnswer(*this, timeline, word, argument, core);
}

void Cores::observe(const TickRun &run) {
    if (run.owner == Owner::issue) {
        ++issued_[run.core];
        if (const auto *found = markers_.at(run.pc))
            for (const Marker &one : *found)
                if (one.action != actionEvent)
                    counters_[run.core].marker(one);
    }
    counters_[run.core].tick(run);
}

} // namespace mcpi::debug
