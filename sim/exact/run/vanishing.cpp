// SPDX-License-Identifier: BSD-2-Clause
#include "vanishing.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace mcpi::exact {
namespace {

/// Owners of ticks that the instruction before them causes, as profile.md has it.
bool ofTheOneBefore(Owner owner) {
    return owner == Owner::takenBubble || owner == Owner::mispredict || owner == Owner::exception ||
           owner == Owner::idle;
}

} // namespace

FunctionMap::FunctionMap(const std::vector<Range> &ranges) {
    uint64_t end = 0;
    for (const Range &one : ranges)
        end = std::max(end, one.end);
    functions_.resize(end / 4);
    for (const Range &one : ranges)
        std::fill(functions_.begin() + static_cast<int64_t>(one.start / 4),
                  functions_.begin() + static_cast<int64_t>(one.end / 4), one.function);
}

Vanishing::Vanishing(std::shared_ptr<const FunctionMap> functions)
    : functions_(std::move(functions)) {}

void Vanishing::vanish(const std::vector<FunctionOwner> &which, uint64_t most) {
    most_ = most;
    none_.clear();
    for (const auto &[function, owner] : which) {
        if (ofWorld(owner))
            throw UserError(std::string(ownerNames[static_cast<unsigned>(owner)]) +
                            ": such a tick waits for the world, which stands still when it "
                            "vanishes.");
        none_.resize(std::max<std::size_t>(none_.size(), (function + 1) * owners));
        none_[cell(function, owner)] = true;
    }
    any_ = !which.empty();
}

void Vanishing::marker(uint64_t tick, const Marker &marker) {
    if (marker.action != actionEvent)
        return;
    if (marker.window == eventMeasureStart)
        began_ = tick;
    over_ |= marker.window == eventMeasureEnd;
    if (marker.window == eventRoundTripEnd && measures() && !over_) {
        ended_ = tick;
        ++trips_;
    }
}

bool Vanishing::takesNone(const TickRun &run, uint64_t waits) {
    if (run.owner == Owner::issue)
        last_ = functions_->at(run.pc);
    const bool before = run.owner == Owner::issue || ofTheOneBefore(run.owner);
    const unsigned at = cell(before ? last_ : functions_->at(waits), run.owner);
    if (at >= ticks_.size())
        ticks_.resize((at / owners + 1) * owners);
    ticks_[at] += run.count;
    if (!any_ || at >= none_.size() || !none_[at]) {
        inARow_ = 0;
        return false;
    }
    vanished_ += run.count;
    if (++inARow_ > most_)
        throw RunError("the code waits for the world, which stands still: " +
                       std::to_string(most_) + " ticks in a row took no time.");
    return true;
}

bool Vanishing::ofMemory(Owner owner) {
    switch (owner) {
    case Owner::iDemand:
    case Owner::iStream:
    case Owner::dMiss:
    case Owner::memoryPort:
    case Owner::writeBufferFull:
    case Owner::barrier:
    case Owner::busWait:
        return true;
    default:
        return false;
    }
}

std::map<FunctionOwner, uint64_t> Vanishing::ticks() const {
    std::map<FunctionOwner, uint64_t> found;
    for (unsigned at = 0; at < ticks_.size(); ++at)
        if (ticks_[at])
            found[{at / owners, static_cast<Owner>(at % owners)}] = ticks_[at];
    return found;
}

} // namespace mcpi::exact
