// SPDX-License-Identifier: BSD-2-Clause
#include "ticklog.h"

#include <algorithm>
#include <sstream>

#include "base/error.h"

namespace mcpi {
namespace {

constexpr std::size_t rowsAtOnce = 4096;

} // namespace

void TickLog::marker(const Marker &marker) {
    if (marker.window != window_)
        return;
    if (passages_ && marker.action == actionOpen && !open_)
        passages_->opens(marker);
    if (passages_ && marker.action == actionClose)
        open_ ? passages_->closes(marker) : passages_->strays();
    if (marker.action == actionOpen)
        open_ = true;
    else if (marker.action == actionClose)
        open_ = paused_ = false;
    else if (marker.action == actionPause)
        paused_ = open_;
    else if (marker.action == actionResume)
        paused_ = false;
}

void TickLog::tick(uint64_t tick, unsigned owner, uint64_t pc, uint64_t count) {
    counts_ = open_ && !paused_;
    if (passages_ && counts_)
        passages_->tick(tick, owner, count);
    if (!keepsRows_)
        return;
    join();
    if (rows_.size() >= rowsAtOnce)
        settle();
    if (counts_)
        rows_.push_back({tick, count, owner, pc, {}});
}

/// The last two rows, if they are one.
void TickLog::join() {
    if (rows_.size() < 2)
        return;
    TickRow &before = rows_[rows_.size() - 2];
    const TickRow &last = rows_.back();
    if (!last.goesOn(before, owners_))
        return;
    before.count += last.count;
    rows_.pop_back();
}

/// All rows but the last are complete.
void TickLog::settle() {
    std::ostringstream out;
    for (auto row = rows_.begin(); row != rows_.end() - 1; ++row)
        row->write(out, owners_);
    text_.text += out.str();
    text_.settle();
    rows_.erase(rows_.begin(), rows_.end() - 1);
}

void TickLog::event(bool happened, Event event) {
    if (!happened || !counts_)
        return;
    if (passages_)
        passages_->event(nameOf(event));
    if (keepsRows_)
        rows_.back().add(event);
}

void TickLog::write(const std::string &folder, unsigned node) {
    if (keepsRows_)
        writeRows(folder);
    if (passages_)
        passages_->write(folder, node);
}

void TickLog::writeRows(const std::string &folder) {
    join();
    std::ostringstream out;
    for (const auto &row : rows_)
        row.write(out, owners_);
    text_.text += out.str();
    text_.write(folder + "/ticks.csv");
}

} // namespace mcpi
