// SPDX-License-Identifier: BSD-2-Clause
// Faults of one direction of the wire, frame by frame: by chance, from a seed, or as a script says.
// docs/reference/segment.md has the file format.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mcpi {

/// Faults of one frame.
struct Fault {
    bool lose = false, duplicate = false;
    bool reorder = false;    ///< goes after the next frame, or `Faults::patience` later
    uint64_t delay = 0;      ///< ticks, whole nibbles of the receiver's grid in the end
    uint64_t corrupt = none; ///< nibble after the preamble, modulo their number, that is changed
    static constexpr uint64_t none = ~uint64_t{0};
};

/// A frame that nobody on the wire has sent: its first bit comes at `tick` or as soon as it can.
struct Injection {
    uint64_t tick;
    std::vector<uint8_t> nibbles;
};

class Faults {
  public:
    /// Probability of each fault of a frame; a script goes before them.
    double lose = 0, corrupt = 0, duplicate = 0, delay = 0, reorder = 0;
    uint64_t delayTicks = 17500; ///< the longest delay: 100 us
    uint64_t patience = 175000;  ///< ticks a reordered frame waits for the next: 1 ms
    uint64_t seed = 1;
    std::vector<Injection> injections; ///< by tick

    /// `key=value`: a probability, delay_ticks, patience_ticks, seed, script=FILE or replay=FILE
    /// (a pcap with tick stamps). UserError says what is wrong.
    void set(const std::string &option, uint64_t ticksPerUs);
    /// Faults of frame `n`, counted from 0.
    Fault of(uint64_t n) const;
    bool any() const;

  private:
    void readScript(const std::string &path);
    std::map<uint64_t, Fault> script_;
};

} // namespace mcpi
