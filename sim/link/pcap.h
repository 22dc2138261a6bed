// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/spool.h"
#include "frame.h"

namespace mcpi {

/// Frames as a nanosecond pcap, in the order of their first preamble bit at the sender, which is
/// also their time stamp: ticks * 1000 / ticksPerUs, cut to ns. Each ends with its FCS, right or
/// wrong; a frame with an MII error or no delimiter is left out.
class Pcap {
  public:
    explicit Pcap(uint64_t ticksPerUs, std::string file = "", Pack pack = nullptr);

    std::vector<Passage> frames; ///< that are not written yet; add here
    std::size_t leftOut = 0;

    /// Frames so far.
    std::size_t count() const { return count_ + frames.size(); }
    /// No other frame's first bit comes before this tick.
    void settle(uint64_t tick);
    void write(const std::string &path);

  private:
    void add(uint64_t tick);

    uint64_t ticksPerUs_;
    std::size_t count_ = 0;
    Spool file_;
};

/// The same of these frames. Returns how many were left out.
std::size_t writePcap(const std::string &path, std::vector<Passage> passages, uint64_t ticksPerUs);

/// A frame of a file: `tick` of its first preamble bit, bytes with the FCS.
struct Captured {
    uint64_t tick;
    std::vector<uint8_t> bytes;
};

/// Every frame of a pcap, whose stamps become ticks again: those that writePcap wrote, exactly. A
/// file in which no frame ends with a correct FCS gets correct ones. UserError says what is wrong
/// with the file.
std::vector<Captured> readPcap(const std::string &path, uint64_t ticksPerUs);

} // namespace mcpi
