// SPDX-License-Identifier: BSD-2-Clause
// Answers to GDB's `monitor`: what the engine knows and a debugger does not.
#pragma once
#include "timeline.h"

namespace mcpi::debug {

class Monitor {
  public:
    explicit Monitor(Timeline &timeline) : timeline_(timeline) {}
    /// The words behind `monitor`, for a thread.
    std::string answer(const std::string &words, unsigned node);
    /// Time is about to move: from here the next answers count.
    void leaves();

  private:
    /// Word for a thread: a core of the one machine, or a machine.
    const char *kind() const { return timeline_.now().together() ? "core" : "node"; }
    std::string tick(unsigned node) const;
    std::string goTo(const std::string &where);
    std::string failure();
    std::string owners(unsigned node);
    std::string counters(unsigned node);
    std::string events() const;
    std::string wire() const;

    Timeline &timeline_;
    std::array<std::vector<uint64_t>, mostThreads> before_; ///< ticks by owner when time moved last
};

} // namespace mcpi::debug
