// SPDX-License-Identifier: BSD-2-Clause
#include "tickrow.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/text.h"

namespace mcpi {
namespace {

/// The order of a tick's events: the core's, its transactions', DMA's, the bus's.
constexpr const char *order[] = {
    "icache.accesses",     "icache.misses",       "icache.stream_hits",
    "dcache.accesses",     "dcache.misses",       "write_buffer.accesses",
    "write_buffer.merges", "taken_branches",      "mispredicts",
    "pal_ticks",           "bcache.accesses",     "bcache.fetches",
    "bcache.prefetches",   "bcache.loads",        "bcache.writes",
    "write_buffer.writes", "bcache.misses",       "bcache.victims",
    "bcache.dma",          "bus.core_ticks",      "bus.dma_ticks",
    "itb.misses",          "dtb.misses",          "itb.refill_ticks",
    "dtb.refill_ticks",    "translation.faults",  "context_switches",
    "dcache.store_misses", "dcache.dirty_misses", "bus.core_waits_dma",
    "icache.victim_hits",  "dcache.victim_hits"};

} // namespace

void TickRow::add(const char *counter) {
    const auto *const found =
        std::find_if(std::begin(order), std::end(order),
                     [=](const char *name) { return std::string_view(name) == counter; });
    if (found == std::end(order))
        throw RunError(std::string("log of ticks: ") + counter +
                       " has no place in a row; add it to the order in sim/trace/tickrow.cpp.");
    const auto place = static_cast<uint8_t>(found - std::begin(order));
    events.insert(std::upper_bound(events.begin(), events.end(), place), place);
}

bool TickRow::goesOn(const TickRow &before, const std::vector<std::string> &owners) const {
    return owner == before.owner && owners.at(owner) == "idle" && events == before.events &&
           before.tick + before.count == tick;
}

void TickRow::write(std::ostream &out, const std::vector<std::string> &owners) const {
    const std::string at = owners.at(owner) == "issue" ? hex(pc) : "";
    out << tick << ',' << count << ',' << owners.at(owner) << ',' << at << ',';
    const char *between = "";
    for (const uint8_t place : events) {
        out << between << order[place];
        between = " ";
    }
    out << '\n';
}

} // namespace mcpi
