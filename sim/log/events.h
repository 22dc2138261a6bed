// SPDX-License-Identifier: BSD-2-Clause
// Tick stamps: markers passed by the program counter, frames on the wire. Ends in events.csv (the
// events of marker.h, by number) and stamps.csv (everything, by name).
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/markers.h"
#include "base/spool.h"
#include "link/frame.h"

namespace mcpi {

/// The name that its stamp has.
std::string markerName(const Marker &marker);

/// Everything that got a tick stamp, from both nodes, in any order. The path's window is opened
/// once: whoever passes its opening while it is open leaves no stamp, as no counter moves.
class EventLog {
  public:
    /// `limits`: of either node's path window only so many stamps are kept; a program's place may
    /// be passed without end.
    EventLog(bool limits, const std::string &folder, Pack pack);
    void addMarker(uint64_t tick, unsigned node, const Marker &marker);
    /// The four stamps of a frame sent by `sender`.
    void addPassage(unsigned sender, const Passage &passage);
    /// Nothing more comes from before this tick.
    void settle(uint64_t tick);
    /// `events.csv` (`tick,node,event`) and `stamps.csv` (`tick,node,stamp`) in `folder`, by tick,
    /// then node.
    void write(const std::string &folder);

    /// The last rows of stamps.csv so far, oldest first: so many at most, and those alone that lie
    /// in memory.
    std::string latest(std::size_t rows) const;

    static constexpr uint64_t mostStamps = 1 << 20; ///< stamps of a window, if they are limited

  private:
    struct Row {
        uint64_t tick;
        unsigned node;
        uint32_t action, window; ///< of a marker; `onWire`: of a frame, which one
    };
    struct Side {
        bool open = false;
        uint64_t stamps = 0; ///< of the path's window
    };
    bool keeps(Side &side, const Marker &marker);
    void add(uint64_t tick);

    bool limits_;
    std::array<Side, 8> sides_; ///< nodes, or cores of one
    std::vector<Row> rows_;     ///< that are not written yet
    uint64_t settled_ = 0;
    Spool events_, stamps_;
};

} // namespace mcpi
