// SPDX-License-Identifier: BSD-2-Clause
#include "events.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/error.h"

namespace mcpi {
namespace {

std::string markerName(const Marker &m) {
    static const char *windows[] = {"", "window", "spin", "hold",
                                    "probe"}; // WINDOW_... of marker.h
    const bool known = m.window > 0 && m.window < std::size(windows);
    const std::string window = known ? windows[m.window] : "window" + std::to_string(m.window);
    switch (m.action) {
    case actionOpen:
        return window + "_open";
    case actionClose:
        return window + "_close";
    case actionPause:
        return window + "_pause";
    case actionResume:
        return window + "_resume";
    case actionInvocation:
        return m.window == windowPath ? "invocation" : window + "_invocation";
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
    case 7:
        return "probe_again";
    default:
        return "event_" + std::to_string(m.window);
    }
}

} // namespace

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
