// SPDX-License-Identifier: BSD-2-Clause
// Waiting for locks, holding them, handing them over: by the place in the program that asks
// (docs/explanation/multiprocessor-counters.md, locks.json).
//
// A processor waits from the first instruction of a function that takes a lock to the first one
// behind its call, and holds the lock until the first instruction of a function that releases it.
// Both have the lock's address in a0.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "exact/node/tally.h"

namespace mcpi::exact {

class LockLog {
  public:
    /// Physical addresses of the functions' first instructions.
    LockLog(const std::vector<std::string> &take, const std::vector<std::string> &release,
            unsigned cores);

    /// An instruction has issued on `core`; `a0`, `ra`: its registers 16 and 26.
    void issues(unsigned core, uint64_t tick, uint64_t pc, uint64_t a0, uint64_t ra);
    /// Instructions of a core that it looks at.
    Stops stops(unsigned core) const { return {nullptr, low_, high_, &returns_[core]}; }
    /// Forgets what has ended so far.
    void clear() { sites_.clear(), lost_ = 0; }
    void write(const std::string &file) const;

  private:
    /// How often a value had so many bits, and the sum.
    struct Histogram {
        std::array<uint64_t, 33> bits{};
        uint64_t count = 0, sum = 0;
        void add(uint64_t value);
    };
    /// A place that asks for locks.
    struct Site {
        uint64_t function = 0; ///< that takes the lock
        Histogram wait, hold, handOver, release;
        uint64_t free = 0, freeTicks = 0; ///< nobody had it or waited for it
        uint64_t overtaken = 0;           ///< others that had asked earlier got it later
        uint64_t first = 0, last = 0;     ///< ticks: asked first, released last
    };
    struct Waiter {
        uint64_t since, released; ///< 0: not since then
        unsigned core;
        bool free;
    };
    struct Lock {
        std::vector<Waiter> waiting; ///< in the order in which they asked
        unsigned holders = 0;
    };
    struct Held {
        uint64_t lock, site, since;
    };
    /// Call of a function of locks by a processor.
    struct Call {
        uint64_t returns = 0, lock = 0, since = 0, site = 0;
        uint64_t function = 0;
        bool takes = false;
    };

    void taken(unsigned core, uint64_t tick, const Call &call);
    bool released(unsigned core, uint64_t tick, Call &call);
    static nlohmann::ordered_json summary(const Histogram &h);

    std::vector<uint64_t> take_, release_;
    uint64_t low_ = ~uint64_t{0}, high_ = 0; ///< where they are
    std::vector<std::vector<Call>> calls_;   ///< by core; a function may want another lock
    std::vector<uint64_t> returns_;          ///< by core: where its last call ends
    std::vector<std::vector<Held>> held_;    ///< by core
    std::map<uint64_t, Lock> locks_;
    std::map<uint64_t, Site> sites_; ///< by the address after the call
    uint64_t lost_ = 0;              ///< releases of what nobody has
};

} // namespace mcpi::exact
