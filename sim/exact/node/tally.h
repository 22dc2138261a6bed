// SPDX-License-Identifier: BSD-2-Clause
// Counters of ticks that `Core::glide` runs: as `CounterBanks::tick` would count each of them.
#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "base/markers.h"
#include "counters.h"

namespace mcpi::exact {

/// Instructions that must not issue while the core glides: somebody looks at them.
struct Stops {
    const MarkerTable *markers = nullptr;
    uint64_t low = ~uint64_t{0}, high = 0; ///< all between these physical addresses
    const uint64_t *place = nullptr;       ///< the one there
    bool has(uint64_t pc) const {
        const uint64_t at = pc & physicalMask;
        return (markers && markers->at(pc)) || (at >= low && at <= high) || (place && *place == at);
    }
};

class Tally {
  public:
    /// From here on it counts there; other windows may be open than before.
    void begins(CounterBanks &counters, const Stops &stops) {
        counters_ = &counters;
        stops_ = stops;
        row_ = counters.row();
        steady_ = 0;
    }

    void steady(uint64_t tick, Events events) {
        ends(tick);
        steady_ = events;
    }
    void ends(uint64_t tick) {
        if (steady_ && tick != since_)
            row_.add(steady_, tick - since_);
        since_ = tick;
    }
    bool stops(uint64_t pc) const { return stops_.has(pc); }
    void accesses(uint64_t, uint64_t) {}
    void again(Events events) { row_.add(events, 1); }
    void issues(uint64_t tick, uint64_t pc, Events events) {
        ++row_.owners[static_cast<unsigned>(Owner::issue)];
        ++*row_.pausedTicks;
        ++*row_.pausedInstructions;
        if (row_.counts)
            counters_->issued(pc);
        row_.add(events, 1);
        ++instructions;
        ++all;
        last = tick;
        this->pc = pc;
    }
    void waits(uint64_t, uint64_t count, Owner owner, Events events) {
        row_.owners[static_cast<unsigned>(owner)] += count;
        *row_.pausedTicks += count;
        row_.add(events, 1);
        if (row_.coherent)
            counters_->caused(owner, cause_, count);
    }
    void causes(Cause cause) {
        cause_ = cause;
        counters_->caused(Owner::issue, cause, 1);
    }

    void marks(uint64_t tick) {
        ends(tick);
        row_.read(around_);
        issues_ = all;
    }
    void forgets() {}
    void measures(uint64_t tick) {
        ends(tick);
        std::vector<uint64_t> now;
        row_.read(now);
        for (std::size_t n = 0; n < now.size(); ++n)
            around_[n] = now[n] - around_[n];
        issues_ = all - issues_;
    }
    void repeats(uint64_t tick, uint64_t times, uint64_t ticks) {
        ends(tick);
        since_ += ticks;
        row_.repeat(around_, times);
        instructions += issues_ * times;
        last += ticks;
    }

    /// Ticks by owner, of the windows that are open.
    const uint64_t *owners() const { return row_.owners; }

    uint64_t instructions = 0, last = 0, pc = 0; ///< that issued; the last: its tick, where it is

  private:
    CounterBanks *counters_ = nullptr;
    Stops stops_;
    CounterBanks::Row row_{};
    Events steady_ = 0;
    Cause cause_ = Cause::none;
    uint64_t since_ = 0;
    std::vector<uint64_t> around_; ///< counts of a time around a loop that spins
    uint64_t issues_ = 0, all = 0;
};

/// Hands each of those ticks on at once.
class Runs {
  public:
    static constexpr uint64_t noAccess = ~uint64_t{0};
    struct Row : TickRun {
        uint64_t physical = noAccess, address = 0; ///< of its access; the virtual one
    };
    using Taker = std::function<void(const Row &)>;
    /// `taker` lives as long as the glide.
    void begins(const Stops &stops, const Taker &taker, unsigned core = 0) {
        stops_ = stops;
        taker_ = &taker;
        core_ = static_cast<uint8_t>(core);
    }

    void steady(uint64_t, Events events) { steady_ = events; }
    void ends(uint64_t) {}
    bool stops(uint64_t pc) const { return stops_.has(pc); }
    void accesses(uint64_t physical, uint64_t address) {
        physical_ = physical;
        address_ = address;
    }
    void again(Events events) { again_ = events; }
    void issues(uint64_t tick, uint64_t pc, Events events) {
        Row row = made(tick, 1, Owner::issue, events);
        row.pc = pc;
        row.physical = std::exchange(physical_, noAccess);
        row.address = address_;
        hands(row);
    }
    void waits(uint64_t tick, uint64_t count, Owner owner, Events events) {
        hands(made(tick, count, owner, events));
    }

    void causes(Cause cause) { cause_ = cause; }
    void marks(uint64_t) {
        around_.clear();
        marks_ = true;
    }
    void measures(uint64_t) { marks_ = false; }
    void forgets() {
        marks_ = false;
        around_.clear();
    }
    void repeats(uint64_t tick, uint64_t times, uint64_t) {
        for (; times; --times)
            for (Row &one : around_) {
                one.tick = tick;
                tick += one.count;
                (*taker_)(one);
            }
    }

  private:
    Row made(uint64_t tick, uint64_t count, Owner owner, Events events) {
        Row run;
        run.tick = tick;
        run.count = count;
        run.owner = owner;
        run.events = events | steady_;
        run.again = std::exchange(again_, 0);
        run.cause = cause_;
        run.core = core_;
        return run;
    }
    void hands(const Row &row) {
        if (marks_)
            around_.push_back(row);
        (*taker_)(row);
    }

    Stops stops_;
    const Taker *taker_ = nullptr;
    uint8_t core_ = 0;
    Events steady_ = 0, again_ = 0;
    Cause cause_ = Cause::none;
    bool marks_ = false;
    std::vector<Row> around_; ///< a time around a loop that spins
    uint64_t physical_ = noAccess, address_ = 0;
};

/// Nobody looks.
struct Unseen {
    void steady(uint64_t, Events) {}
    void ends(uint64_t) {}
    bool stops(uint64_t) const { return false; }
    void accesses(uint64_t, uint64_t) {}
    void again(Events) {}
    void issues(uint64_t, uint64_t, Events) {}
    void waits(uint64_t, uint64_t, Owner, Events) {}
    void causes(Cause) {}
    void marks(uint64_t) {}
    void measures(uint64_t) {}
    void forgets() {}
    void repeats(uint64_t, uint64_t, uint64_t) {}
};

} // namespace mcpi::exact
