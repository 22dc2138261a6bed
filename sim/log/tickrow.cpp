// SPDX-License-Identifier: BSD-2-Clause
#include "tickrow.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/text.h"

namespace mcpi {
namespace {

constexpr uint8_t none = 0xFF;

/// By event its place in a row.
constexpr std::array<uint8_t, eventNames.size()> places() {
    std::array<uint8_t, eventNames.size()> found = {};
    for (auto &place : found)
        place = none;
    for (unsigned n = 0; n < loggedEvents.size(); ++n)
        found[static_cast<unsigned>(loggedEvents[n])] = static_cast<uint8_t>(n);
    return found;
}

} // namespace

void TickRow::add(Event event) {
    static constexpr auto ofEvents = places();
    const auto place = ofEvents[static_cast<unsigned>(event)];
    if (place == none)
        throw RunError(std::string("log of ticks: ") + nameOf(event) +
                       " has no column; give its row in machines/counters.toml a place `log`.");
    events.insert(std::upper_bound(events.begin(), events.end(), place), static_cast<char>(place));
}

bool TickRow::goesOn(const TickRow &before, const std::vector<std::string> &owners) const {
    return owner == before.owner && owners.at(owner) == "idle" && events == before.events &&
           before.tick + before.count == tick;
}

void TickRow::write(std::ostream &out, const std::vector<std::string> &owners) const {
    const std::string at = owners.at(owner) == "issue" ? hex(pc) : "";
    out << tick << ',' << count << ',' << owners.at(owner) << ',' << at << ',';
    const char *between = "";
    for (const char place : events) {
        out << between << nameOf(loggedEvents[static_cast<uint8_t>(place)]);
        between = " ";
    }
    out << '\n';
}

} // namespace mcpi
