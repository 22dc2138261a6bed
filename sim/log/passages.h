// SPDX-License-Identifier: BSD-2-Clause
// Record of each passage of a node's window 1, from its opening to its closing: ticks by owner and
// counters, by where it opened and closed. A program marks several places (exec.md), and the
// hardware's bank is the sum of them all.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/markers.h"

namespace mcpi {

class Passages {
  public:
    explicit Passages(std::vector<std::string> owners) : owners_(std::move(owners)) {}

    void opens(const Marker &marker) { open_ = marker.address; }
    /// The window was open.
    void closes(const Marker &marker);
    /// It was not: somebody is at the end who was not at the beginning.
    void strays() { ++strays_; }
    /// `count` ticks inside the window.
    void tick(uint64_t tick, unsigned owner, uint64_t count);
    /// Count one more counter that the last tick moves.
    void event(const char *counter);
    /// `passages.N.csv`: a row for each passage, `tick,open,close,passages,ticks`, then the owners,
    /// then the counters. Of a place that is passed very often, the rest is one row.
    void write(const std::string &folder, unsigned node) const;

  private:
    struct Row {
        uint64_t tick = 0, open = 0, close = 0, passages = 0, ticks = 0;
        std::vector<uint64_t> owners, events;
    };
    static constexpr unsigned mostRows = 4096; ///< rows of one place

    void add(const Row &row);

    std::vector<std::string> owners_;
    std::vector<const char *> names_; ///< of the counters, as they came
    std::vector<Row> rows_;
    std::map<std::pair<uint64_t, uint64_t>, std::pair<unsigned, std::size_t>>
        places_; ///< rows of it, and the one that has the rest
    Row now_;
    uint64_t open_ = 0, last_ = 0, strays_ = 0;
};

} // namespace mcpi
