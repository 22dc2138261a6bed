// SPDX-License-Identifier: BSD-2-Clause
// Owners of a node's ticks between one marker and the next, and the steps of its network
// controller: what a round trip's time line is made of (docs/reference/round-trip.md).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/lance_step.h"
#include "base/markers.h"
#include "base/spool.h"

namespace mcpi {

class SpellLog {
  public:
    /// Files of node `node` in `folder`.
    SpellLog(std::vector<std::string> owners, const std::string &folder, unsigned node, Pack pack);

    /// The instruction at the marker issues in this tick, which is not yet counted.
    void marker(uint64_t tick, const Marker &marker);
    void tick(unsigned owner, uint64_t count) { ticks_[owner] += count; }
    void step(const LanceStep &step);
    /// `spells.N.csv` and `lance.N.csv` of node N.
    void write(const std::string &folder, unsigned node);

  private:
    /// The spell is over, and the next begins in this tick.
    void ends(uint64_t tick);
    void add(std::size_t steps);

    std::vector<std::string> owners_;
    std::vector<uint64_t> ticks_; ///< of the spell, by owner
    uint64_t from_ = 0;
    std::string mark_ = "reset";   ///< markers that the spell begins with
    std::vector<LanceStep> steps_; ///< that are not written yet
    uint64_t added_ = 0;           ///< no step from before this tick comes
    Spool spells_, lance_;
};

} // namespace mcpi
