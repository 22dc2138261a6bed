// SPDX-License-Identifier: BSD-2-Clause
#include "events.h"

#include <algorithm>
#include <fstream>

#include "error.h"

namespace mcpi {
namespace {

std::string markerName(const Marker &m) {
    switch (m.action) {
    case actionOpen:
        return "window_open";
    case actionClose:
        return "window_close";
    case actionPause:
        return "window_pause";
    case actionResume:
        return "window_resume";
    case actionInvocation:
        return "invocation";
    default:
        break;
    }
    switch (m.window) { // EVENT_... of marker.h
    case 1:
        return "round_trip_start";
    case 2:
        return "round_trip_end";
    case 3:
        return "hand_over";
    case 4:
        return "net_interrupt";
    case eventMeasureStart:
        return "measure_start";
    case eventMeasureEnd:
        return "measure_end";
    default:
        return "event_" + std::to_string(m.window);
    }
}

constexpr uint64_t physicalMask = (uint64_t{1} << 26) - 1;

} // namespace

MarkerTable::MarkerTable(const std::vector<Marker> &markers) {
    for (const auto &m : markers) {
        if (m.action < actionOpen || m.action > actionEvent)
            throw UserError("a marker has action " + std::to_string(m.action) +
                            "; firmware/platform/marker.h knows 1 to 6.");
        const auto physical = static_cast<uint32_t>(m.address & physicalMask);
        filter_[physical >> 2 & (filterSize - 1)] = 1;
        byAddress_[physical].push_back(m);
    }
}

const std::vector<Marker> *MarkerTable::find(uint32_t physical) const {
    const auto it = byAddress_.find(physical);
    return it == byAddress_.end() ? nullptr : &it->second;
}

bool MarkerTable::has(uint32_t action, uint32_t window) const {
    for (const auto &[address, markers] : byAddress_)
        for (const auto &m : markers)
            if (m.action == action && m.window == window)
                return true;
    return false;
}

void EventLog::addMarker(uint64_t tick, unsigned node, const Marker &marker) {
    const uint32_t event = marker.action == actionEvent ? marker.window : 0;
    rows_.push_back({tick, node, event, markerName(marker)});
}

void EventLog::addPassage(unsigned sender, const Passage &p) {
    add(p.sentFirst, sender, "tx_first_bit");
    add(p.sentLast, sender, "tx_last_bit");
    if (p.lost)
        return;
    add(p.receivedFirst, sender ^ 1, "rx_first_bit");
    add(p.receivedLast, sender ^ 1, "rx_last_bit");
}

void EventLog::write(const std::string &folder) const {
    auto rows = rows_;
    std::stable_sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
        return a.tick != b.tick ? a.tick < b.tick : a.node < b.node;
    });
    std::ofstream events(folder + "/events.csv"), stamps(folder + "/stamps.csv");
    events << "tick,node,event\n";
    stamps << "tick,node,stamp\n";
    for (const auto &r : rows) {
        if (r.event)
            events << r.tick << ',' << r.node << ',' << r.event << '\n';
        stamps << r.tick << ',' << r.node << ',' << r.stamp << '\n';
    }
    if (!events.flush() || !stamps.flush())
        throw UserError(folder + ": events.csv and stamps.csv cannot be written.");
}

} // namespace mcpi
