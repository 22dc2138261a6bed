// SPDX-License-Identifier: BSD-2-Clause
#include "measurement.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "base/error.h"
#include "check/counter_invariants.h"

namespace mcpi {
namespace {

bool opens(const Marker &marker) {
    return marker.action == actionOpen && marker.window == windowPath;
}

} // namespace

void Measurement::begin(const std::vector<Marker> &markers) {
    if (std::count_if(markers.begin(), markers.end(), opens) == 1)
        parts_.onePart(std::find_if(markers.begin(), markers.end(), opens)->address);
    const bool measured = MarkerTable(markers).has(actionEvent, eventMeasureStart);
    pending_ = measured ? countersClear | countersFreeze : countersClear | countersArm;
    atBoundary();
}

void Measurement::marker(const Marker &marker) {
    if (ofFurtherWindow(marker))
        return;
    if (marker.action == actionInvocation)
        ++invocations;
    parts_.marker(marker);
    if (marker.action == actionOpen)
        ++opened_;
    if (marker.action == actionOpen || marker.action == actionClose)
        inWindow_ = marker.action == actionOpen;
    // The hardware copies its counters where the window closes first; later parts are the host's.
    if (coldAt_ && parts_.ended() && parts_.count() > 1 && !coldEnded_) {
        coldEnded_ = true; // stands until the boundary, whatever else was asked for
        pending_ = countersFreeze | countersSnapshot;
    }
    if (marker.action != actionEvent || options_->byRegisters)
        return;
    if (marker.window == eventMeasureStart)
        pending_ = countersClear | countersArm;
    if (marker.window == eventMeasureEnd)
        pending_ = countersFreeze;
}

/// Counters change between two invocations of node 0's path, so that they hold whole ones; node 1's
/// are whole then too, because a frame is under way.
void Measurement::atBoundary() {
    if (!pending_ || inWindow_)
        return;
    for (auto &n : nodes_) {
        const bool others = pending_ & countersSnapshot && &n != &nodes_[0];
        if (!options_->cold || (pending_ != countersFreeze && !others))
            n.host->control(pending_);
    }
    if (pending_ == (countersClear | countersArm)) {
        if (!options_->forkCold.empty())
            forkCold();
        if (options_->cold)
            startCold();
    }
    pending_ = 0;
}

/// Up to here this run and the cold one are the same. A copy of the process goes on as that one, to
/// its end; then this goes on.
void Measurement::forkCold() {
    const pid_t child = fork();
    if (child < 0)
        throw RunError("--fork-cold: the system gives no second process.");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); // ^C ends both
        options_->out = std::exchange(options_->forkCold, {});
        options_->cold = true;
        options_->live = false;
        return;
    }
    options_->forkCold.clear();
    for (auto &n : nodes_)
        n.host->dropCold();
    int status = 0;
    if (waitpid(child, &status, 0) != child || status)
        throw RunError("--fork-cold: the cold run failed, for the reason above.");
}

/// The next invocation of node 0's path is the cold one: hardware does it, and copies the counters
/// where the window closes first.
void Measurement::startCold() {
    if (!parts_.count())
        throw RunError(
            "--cold: node 0's window opens in several places and no whole invocation has "
            "passed before the measurement; give it two round trips of warm-up.");
    coldWanted_ = opened_;
    nodes_[0].host->startCold(parts_.begin(), parts_.count());
}

void Measurement::tell(uint64_t tick, std::size_t frames) {
    nlohmann::ordered_json line = {
        {"tick", tick}, {"round_trips", invocations}, {"frames", frames}, {"nodes", {}}};
    for (unsigned n = 0; n < nodes_.size(); ++n)
        line["nodes"].push_back(n < counters.size() ? counters[n].all : nodes_[n].host->now().all);
    std::fprintf(stderr, "live %s\n", line.dump().c_str());
}

void Measurement::end() {
    for (auto &n : nodes_) {
        if (!options_->byRegisters && (!options_->cold || &n != &nodes_[0]))
            n.host->control(countersFreeze | countersSnapshot);
        counters.push_back(n.host->copy());
        counters.back().further = n.further;
        checkInvariants(static_cast<unsigned>(counters.size()) - 1, *info_, counters.back());
    }
    if (options_->cold && !counters[0].path["ticks"])
        throw RunError("--cold: node 0's path did not begin again after the measurement "
                       "started: no cold invocation.");
    if (options_->cold && coldAt_ != coldWanted_)
        throw RunError("--cold: the cold start came after " + std::to_string(coldAt_) +
                       " passages of node 0's path instead of " + std::to_string(coldWanted_) +
                       ".");
}

} // namespace mcpi
