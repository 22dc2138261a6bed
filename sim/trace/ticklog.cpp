// SPDX-License-Identifier: BSD-2-Clause
#include "ticklog.h"

#include <algorithm>
#include <cinttypes>
#include <fstream>
#include <iterator>
#include <string_view>

#include "base/error.h"

namespace mcpi {
namespace {

/// The order of a tick's events: the core's, its transactions', DMA's, the bus's.
constexpr const char *order[] = {"icache.accesses",     "icache.misses",   "icache.stream_hits",
                                 "dcache.accesses",     "dcache.misses",   "write_buffer.accesses",
                                 "write_buffer.merges", "taken_branches",  "mispredicts",
                                 "pal_ticks",           "bcache.accesses", "bcache.fetches",
                                 "bcache.prefetches",   "bcache.loads",    "bcache.writes",
                                 "write_buffer.writes", "bcache.misses",   "bcache.victims",
                                 "bcache.dma",          "bus.core_ticks",  "bus.dma_ticks"};

} // namespace

void TickLog::marker(const Marker &marker) {
    if (marker.window != 1)
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
    if (counts_)
        rows_.push_back({tick, count, owner, pc, {}});
}

/// The last two rows, if they are one.
void TickLog::join() {
    if (rows_.size() < 2)
        return;
    Row &before = rows_[rows_.size() - 2];
    const Row &last = rows_.back();
    if (before.owner != last.owner || owners_.at(last.owner) != "idle" ||
        before.events != last.events || before.tick + before.count != last.tick)
        return;
    before.count += last.count;
    rows_.pop_back();
}

void TickLog::event(bool happened, const char *counter) {
    if (!happened || !counts_)
        return;
    if (passages_)
        passages_->event(counter);
    if (!keepsRows_)
        return;
    const auto *const found =
        std::find_if(std::begin(order), std::end(order),
                     [=](const char *name) { return std::string_view(name) == counter; });
    const auto place = static_cast<uint8_t>(found - std::begin(order));
    auto &events = rows_.back().events;
    events.insert(std::upper_bound(events.begin(), events.end(), place), place);
}

void TickLog::write(const std::string &folder, unsigned node) {
    if (keepsRows_)
        writeRows(folder);
    if (passages_)
        passages_->write(folder, node);
}

void TickLog::writeRows(const std::string &folder) {
    join();
    const std::string path = folder + "/ticks.csv";
    std::ofstream out(path);
    out << "tick,count,owner,pc,events\n";
    for (const auto &r : rows_) {
        char pc[20] = "";
        if (owners_.at(r.owner) == "issue")
            std::snprintf(pc, sizeof pc, "%" PRIx64, r.pc);
        out << r.tick << ',' << r.count << ',' << owners_.at(r.owner) << ',' << pc << ',';
        const char *between = "";
        for (const uint8_t place : r.events) {
            out << between << order[place];
            between = " ";
        }
        out << '\n';
    }
    if (!out.flush())
        throw UserError(path + ": cannot be written.");
}

} // namespace mcpi
