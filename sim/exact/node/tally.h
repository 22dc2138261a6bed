// SPDX-License-Identifier: BSD-2-Clause
// Counters of ticks that `Core::glide` runs: as `CounterBanks::tick` would count each of them.
#pragma once
#include "counters.h"

namespace mcpi::exact {

class Tally {
  public:
    Tally(CounterBanks &counters, const MarkerTable &markers)
        : counters_(counters), markers_(markers), row_(counters.row()) {}

    void steady(uint64_t tick, Events events) {
        ends(tick);
        steady_ = events;
    }
    void ends(uint64_t tick) {
        if (steady_ && tick != since_)
            row_.add(steady_, tick - since_);
        since_ = tick;
    }
    bool stops(uint64_t pc) const { return markers_.at(pc); }
    void issues(uint64_t tick, uint64_t pc, Events events) {
        ++row_.owners[static_cast<unsigned>(Owner::issue)];
        if (row_.counts)
            counters_.issued(pc);
        row_.add(events, 1);
        ++instructions;
        last = tick;
        this->pc = pc;
    }
    void waits(uint64_t, uint64_t count, Owner owner, Events events) {
        row_.owners[static_cast<unsigned>(owner)] += count;
        row_.add(events, 1);
    }

    uint64_t instructions = 0, last = 0, pc = 0; ///< that issued; the last: its tick, where it is

  private:
    CounterBanks &counters_;
    const MarkerTable &markers_;
    CounterBanks::Row row_;
    Events steady_ = 0;
    uint64_t since_ = 0;
};

/// Each of those ticks, for whoever looks at each.
class Runs {
  public:
    explicit Runs(const MarkerTable *markers = nullptr) : markers_(markers) {}

    void steady(uint64_t, Events events) { steady_ = events; }
    void ends(uint64_t) {}
    bool stops(uint64_t pc) const { return markers_ && markers_->at(pc); }
    void issues(uint64_t tick, uint64_t pc, Events events) {
        add(tick, 1, Owner::issue, events);
        all.back().pc = pc;
    }
    void waits(uint64_t tick, uint64_t count, Owner owner, Events events) {
        add(tick, count, owner, events);
    }

    std::vector<TickRun> all;

  private:
    void add(uint64_t tick, uint64_t count, Owner owner, Events events) {
        all.emplace_back();
        TickRun &run = all.back();
        run.tick = tick;
        run.count = count;
        run.owner = owner;
        run.events = events | steady_;
    }

    const MarkerTable *markers_;
    Events steady_ = 0;
};

/// Nobody looks.
struct Unseen {
    void steady(uint64_t, Events) {}
    void ends(uint64_t) {}
    bool stops(uint64_t) const { return false; }
    void issues(uint64_t, uint64_t, Events) {}
    void waits(uint64_t, uint64_t, Owner, Events) {}
};

} // namespace mcpi::exact
