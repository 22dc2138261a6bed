// SPDX-License-Identifier: BSD-2-Clause
#include "events.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iterator>

#include "base/error.h"

namespace mcpi {
namespace {

constexpr uint32_t onWire = 0; // no action of a marker
constexpr const char *frameNames[] = {"tx_first_bit", "tx_last_bit", "rx_first_bit", "rx_last_bit"};

} // namespace

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

/// Return true if the marker leaves a stamp.
bool EventLog::keeps(Side &side, const Marker &m) {
    if (m.action == actionEvent || m.window != windowPath)
        return true;
    if (m.action == actionOpen && side.open)
        return false;
    if (m.action == actionOpen || m.action == actionClose)
        side.open = m.action == actionOpen;
    return ++side.stamps <= mostStamps || !limits_;
}

EventLog::EventLog(bool limits, const std::string &folder, Pack pack)
    : limits_(limits), events_(folder + "/events.csv", pack),
      stamps_(folder + "/stamps.csv", pack) {
    events_.text = "tick,node,event\n";
    stamps_.text = "tick,node,stamp\n";
}

void EventLog::addMarker(uint64_t tick, unsigned node, const Marker &marker) {
    if (tick < settled_)
        throw RunError("stamps.csv: a marker of tick " + std::to_string(tick) + " comes late.");
    if (keeps(sides_[node], marker))
        rows_.push_back({tick, node, marker.action, marker.window});
}

void EventLog::addPassage(unsigned sender, const Passage &p) {
    rows_.push_back({p.sentFirst, sender, onWire, 0});
    rows_.push_back({p.sentLast, sender, onWire, 1});
    if (p.lost)
        return;
    rows_.push_back({p.receivedFirst, sender ^ 1, onWire, 2});
    rows_.push_back({p.receivedLast, sender ^ 1, onWire, 3});
}

/// Rows from before `tick`.
void EventLog::add(uint64_t tick) {
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row &a, const Row &b) {
        return a.tick != b.tick ? a.tick < b.tick : a.node < b.node;
    });
    auto next = rows_.begin();
    for (; next != rows_.end() && next->tick < tick; ++next) {
        const Row &r = *next;
        const std::string begins = std::to_string(r.tick) + ',' + std::to_string(r.node) + ',';
        if (r.action == actionEvent && r.window)
            events_.text += begins + std::to_string(r.window) + '\n';
        stamps_.text +=
            begins +
            (r.action == onWire ? frameNames[r.window] : markerName({0, r.action, r.window})) +
            '\n';
    }
    rows_.erase(rows_.begin(), next);
    settled_ = tick;
}

void EventLog::settle(uint64_t tick) {
    if (rows_.size() < 4096)
        return;
    add(tick);
    events_.settle();
    stamps_.settle();
}

std::string EventLog::latest(std::size_t rows) const {
    EventLog copy(*this);
    copy.stamps_.text.clear();
    copy.add(~uint64_t{0});
    const std::string before = stamps_.latest();
    const std::string all = before.substr(before.find('\n') + 1) + copy.stamps_.text;
    std::size_t from = all.size();
    for (; from && rows; --rows)
        from = from > 1 ? all.rfind('\n', from - 2) + 1 : 0;
    return all.substr(from);
}

void EventLog::write(const std::string &folder) {
    add(~uint64_t{0});
    events_.write(folder + "/events.csv");
    stamps_.write(folder + "/stamps.csv");
    for (unsigned n = 0; n < sides_.size(); ++n)
        if (limits_ && sides_[n].stamps > mostStamps)
            std::fprintf(stderr,
                         "stamps.csv: node %u: its window has %" PRIu64
                         " stamps; the first %" PRIu64 " are there.\n",
                         n, sides_[n].stamps, mostStamps);
}

} // namespace mcpi
