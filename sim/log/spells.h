// SPDX-License-Identifier: BSD-2-Clause
// Owners of a node's ticks between one marker and the next, and the steps of its network
// controller: what a round trip's time line is made of (docs/reference/round-trip.md).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/lance_step.h"
#include "base/markers.h"

namespace mcpi {

class SpellLog {
  public:
    explicit SpellLog(std::vector<std::string> owners)
        : owners_(std::move(owners)), ticks_(owners_.size()) {}

    /// The instruction at the marker issues in this tick, which is not yet counted.
    void marker(uint64_t tick, const Marker &marker);
    void tick(unsigned owner, uint64_t count) { ticks_[owner] += count; }
    void step(const LanceStep &step) { steps_.push_back(step); }
    /// `spells.N.csv` and `lance.N.csv` of node N.
    void write(const std::string &folder, unsigned node);

  private:
    /// The spell is over, and the next begins in this tick.
    void ends(uint64_t tick);

    std::vector<std::string> owners_;
    std::vector<uint64_t> ticks_; ///< of the spell, by owner
    uint64_t from_ = 0;
    std::string mark_ = "reset"; ///< markers that the spell begins with
    std::string rows_;           ///< of spells.N.csv
    std::vector<LanceStep> steps_;
};

} // namespace mcpi
