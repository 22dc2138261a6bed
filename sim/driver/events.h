// SPDX-License-Identifier: BSD-2-Clause
// Tick stamps: markers passed by the program counter, frames on the wire. Ends in events.csv (the
// events of marker.h, by number) and stamps.csv (everything, by name).
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "loader.h"
#include "wire.h"

namespace mcpi {

/// Actions and event numbers of firmware/platform/marker.h.
enum Action : uint32_t {
    actionOpen = 1,
    actionClose,
    actionPause,
    actionResume,
    actionInvocation,
    actionEvent
};
enum EventNumber : uint32_t { eventMeasureStart = 5, eventMeasureEnd = 6 };

/// Which addresses matter; the answer "none" costs one load.
class MarkerTable {
  public:
    explicit MarkerTable(const std::vector<Marker> &markers);
    bool mayHold(uint32_t physical) const { return filter_[physical >> 2 & (filterSize - 1)]; }
    /// Markers at this physical address, in file order; null when there are none.
    const std::vector<Marker> *find(uint32_t physical) const;
    /// Whether there is such a marker at all.
    bool has(uint32_t action, uint32_t window) const;

  private:
    static constexpr std::size_t filterSize = 4096;
    std::array<uint8_t, filterSize> filter_{};
    std::unordered_map<uint32_t, std::vector<Marker>> byAddress_;
};

/// Everything that got a tick stamp, from both nodes, in any order.
class EventLog {
  public:
    void addMarker(uint64_t tick, unsigned node, const Marker &marker);
    /// The four stamps of a frame sent by `sender`.
    void addPassage(unsigned sender, const Passage &passage);
    /// `events.csv` (`tick,node,event`) and `stamps.csv` (`tick,node,stamp`) in `folder`, by tick,
    /// then node.
    void write(const std::string &folder) const;

  private:
    struct Row {
        uint64_t tick;
        unsigned node;
        uint32_t event; ///< number in marker.h, 0 for others
        std::string stamp;
    };
    void add(uint64_t tick, unsigned node, const char *stamp) {
        rows_.push_back({tick, node, 0, stamp});
    }
    std::vector<Row> rows_;
};

} // namespace mcpi
