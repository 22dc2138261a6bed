// SPDX-License-Identifier: BSD-2-Clause
#include "spells.h"

#include <algorithm>

#include "base/error.h"
#include "events.h"

namespace mcpi {
namespace {

constexpr const char *stepNames[] = {"demand",     "read_word",   "write_word",
                                     "read_burst", "write_burst", "interrupt"};

bool isOwnership(const LanceStep &step) {
    return step.kind != LanceStep::demand && step.kind != LanceStep::interrupt;
}

} // namespace

SpellLog::SpellLog(std::vector<std::string> owners, const std::string &folder, unsigned node,
                   Pack pack)
    : owners_(std::move(owners)), ticks_(owners_.size()),
      spells_(folder + "/spells." + std::to_string(node) + ".csv", pack),
      lance_(folder + "/lance." + std::to_string(node) + ".csv", pack) {
    spells_.text = "from,until,mark,owners\n";
    lance_.text = "from,until,step,moves,moved\n";
}

void SpellLog::marker(uint64_t tick, const Marker &marker) {
    if (tick != from_)
        ends(tick);
    mark_ += (mark_.empty() ? "" : " ") + markerName(marker);
}

void SpellLog::ends(uint64_t tick) {
    std::string &rows = spells_.text;
    rows += std::to_string(from_) + ',' + std::to_string(tick) + ',' + mark_ + ',';
    const char *between = "";
    for (std::size_t owner = 0; owner < ticks_.size(); ++owner) {
        if (!ticks_[owner])
            continue;
        rows += between + owners_[owner] + '=' + std::to_string(ticks_[owner]);
        between = " ";
    }
    rows += '\n';
    spells_.settle();
    std::fill(ticks_.begin(), ticks_.end(), 0);
    from_ = tick;
    mark_.clear();
}

/// A step is known at its end, and is never so long that this many others are known before it.
void SpellLog::step(const LanceStep &step) {
    constexpr std::size_t longest = 4096;
    if (step.from < added_)
        throw RunError("lance: a step of tick " + std::to_string(step.from) + " comes late.");
    steps_.push_back(step);
    if (steps_.size() < 2 * longest)
        return;
    add(longest);
    added_ = steps_.front().from;
    lance_.settle();
}

/// The first so many, by their first tick.
void SpellLog::add(std::size_t steps) {
    std::stable_sort(steps_.begin(), steps_.end(), [](const LanceStep &a, const LanceStep &b) {
        return a.from != b.from ? a.from < b.from : a.kind < b.kind;
    });
    const auto end = steps_.begin() + static_cast<long>(steps);
    for (auto step = steps_.begin(); step != end; ++step) {
        lance_.text += std::to_string(step->from) + ',' + std::to_string(step->until) + ',' +
                       stepNames[step->kind] + ',';
        lance_.text += isOwnership(*step)
                           ? std::to_string(step->moves) + ',' + std::to_string(step->moved) + '\n'
                           : ",\n";
    }
    steps_.erase(steps_.begin(), end);
}

void SpellLog::write(const std::string &folder, unsigned node) {
    const std::string end = std::to_string(node) + ".csv";
    add(steps_.size());
    spells_.write(folder + "/spells." + end);
    lance_.write(folder + "/lance." + end);
}

} // namespace mcpi
