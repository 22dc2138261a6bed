// SPDX-License-Identifier: BSD-2-Clause
// Tick stamps: markers passed by the program counter, frames on the wire. Ends in events.csv (the
// events of marker.h, by number) and stamps.csv (everything, by name).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/markers.h"
#include "link/frame.h"

namespace mcpi {

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
