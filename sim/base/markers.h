// SPDX-License-Identifier: BSD-2-Clause
// The markers of firmware/platform/marker.h: addresses at which a window opens or closes, or an
// event is counted.
#pragma once
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace mcpi {

/// A record of the section `.mcpi.markers` (firmware/platform/marker.h); `address` is virtual.
struct Marker {
    uint64_t address;
    uint32_t action;
    uint32_t window;
};

/// Actions and event numbers of firmware/platform/marker.h.
enum Action : uint32_t {
    actionOpen = 1,
    actionClose,
    actionPause,
    actionResume,
    actionInvocation,
    actionEvent
};
enum EventNumber : uint32_t { eventRoundTripEnd = 2, eventMeasureStart = 5, eventMeasureEnd = 6 };
constexpr uint32_t windowPath = 1; // others: counters.md

/// Return true for a marker of a window other than the path's.
inline bool ofFurtherWindow(const Marker &m) {
    return m.action != actionEvent && m.window != windowPath;
}

/// Which addresses matter; the answer "none" costs one load.
class MarkerTable {
  public:
    explicit MarkerTable(const std::vector<Marker> &markers);
    /// Markers at this instruction, in file order; null when there are none.
    const std::vector<Marker> *at(uint64_t pc) const {
        const auto physical = static_cast<uint32_t>(pc) & ~3u;
        return filter_[physical >> 2 & (filterSize - 1)] ? find(physical) : nullptr;
    }
    /// Return true if there is such a marker at all.
    bool has(uint32_t action, uint32_t window) const;

  private:
    const std::vector<Marker> *find(uint32_t physical) const;

    static constexpr std::size_t filterSize = 4096;
    std::array<uint8_t, filterSize> filter_{};
    std::unordered_map<uint32_t, std::vector<Marker>> byAddress_;
};

} // namespace mcpi
