// SPDX-License-Identifier: BSD-2-Clause
#include "spells.h"

#include <algorithm>
#include <fstream>

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

void SpellLog::marker(uint64_t tick, const Marker &marker) {
    if (tick != from_)
        ends(tick);
    mark_ += (mark_.empty() ? "" : " ") + markerName(marker);
}

void SpellLog::ends(uint64_t tick) {
    rows_ += std::to_string(from_) + ',' + std::to_string(tick) + ',' + mark_ + ',';
    const char *between = "";
    for (std::size_t owner = 0; owner < ticks_.size(); ++owner) {
        if (!ticks_[owner])
            continue;
        rows_ += between + owners_[owner] + '=' + std::to_string(ticks_[owner]);
        between = " ";
    }
    rows_ += '\n';
    std::fill(ticks_.begin(), ticks_.end(), 0);
    from_ = tick;
    mark_.clear();
}

void SpellLog::write(const std::string &folder, unsigned node) {
    const std::string end = std::to_string(node) + ".csv";
    std::ofstream spells(folder + "/spells." + end), lance(folder + "/lance." + end);
    spells << "from,until,mark,owners\n" << rows_;
    lance << "from,until,step,moves,moved\n";
    std::stable_sort(steps_.begin(), steps_.end(), [](const LanceStep &a, const LanceStep &b) {
        return a.from != b.from ? a.from < b.from : a.kind < b.kind;
    });
    for (const LanceStep &step : steps_) {
        lance << step.from << ',' << step.until << ',' << stepNames[step.kind] << ',';
        if (isOwnership(step))
            lance << step.moves << ',' << step.moved << '\n';
        else
            lance << ",\n";
    }
    if (!spells.flush() || !lance.flush())
        throw UserError(folder + ": spells." + end + " and lance." + end + " cannot be written.");
}

} // namespace mcpi
