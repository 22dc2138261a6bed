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
    std::string tick(unsigned node) const;
    std::string goTo(const std::string &where);
    std::string failure();
    std::string owners(unsigned node);
    std::string counters(unsigned node);
    std::string rings(unsigned node) const;
    std::string events() const;
    std::string wire() const;
    std::string caches(unsigned node, const std::string &address) const;

    Timeline &timeline_;
    uint64_t left_ = 0;                        ///< the tick at which time moved last
    std::array<Counters, mostThreads> before_; ///< then
};

} // namespace mcpi::debug
