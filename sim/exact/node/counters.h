// SPDX-License-Identifier: BSD-2-Clause
// A node's counters, written from counters.md: both banks and the table of windows, fed with what
// each tick was.
//
// A tick adds one to a cell of the table, and one for each of its events; everything else waits
// until somebody asks. What belongs to both banks is counted by whether it lies on the path.
#pragma once
#include <array>
#include <vector>

#include "base/address.h"
#include "base/counters.h"
#include "base/machine.h"
#include "exact/core/core.h"
#include "windows.h"

namespace mcpi::exact {

class CounterBanks {
    static constexpr unsigned ownerCount = ownerNames.size();
    static constexpr unsigned causeCount = causeNames.size();

  public:
    explicit CounterBanks(const Machine &machine);
    /// The names of owners, counters and windows, in order.
    static NodeInfo info(const Machine &machine);

    /// A comparator whose instruction issues, before the tick is named.
    void marker(const Marker &marker);
    /// A tick, or several alike. True: from the next tick on no block has been resident.
    bool tick(const TickRun &run) {
        const unsigned set = windows_.set();
        if (counts_) {
            now_.table[set][static_cast<unsigned>(run.owner)] += run.count;
            auto &events = now_.events[set & 1];
            for (Events left = run.events & counted; left; left &= left - 1)
                events[static_cast<unsigned>(__builtin_ctzll(left))] += run.count;
            for (Events left = run.again; left; left &= left - 1)
                ++events[static_cast<unsigned>(__builtin_ctzll(left))];
            if (windows_.pathPaused()) {
                now_.pausedTicks += run.count;
                now_.pausedInstructions += run.owner == Owner::issue;
            }
            if (run.owner == Owner::issue)
                issues(run.pc, set & 1);
        }
        if (coherent_)
            causes(run.owner, run.cause, run.count, set & 1);
        return (copies_ || run.events & coldStart) && between(run.events & coldStart);
    }
    /// Where the ticks of the windows that are open now are counted, until one opens or closes.
    struct Row {
        uint64_t *owners, *events; ///< by number
        uint64_t *pausedTicks, *pausedInstructions;
        bool counts;   ///< or else nobody reads it
        bool coherent; ///< with private b-caches
        uint64_t *causes;
        uint64_t *outside[2]; ///< instructions outside the code window: all, on the path
        template <typename Visit> void each(const Visit &visit) const {
            for (unsigned n = 0; n < ownerCount; ++n)
                visit(owners[n]);
            for (unsigned n = 0; n < eventNames.size(); ++n)
                visit(events[n]);
            for (unsigned n = 0; coherent && n < causeCount * causedOwners.size(); ++n)
                visit(causes[n]);
            visit(*pausedTicks);
            visit(*pausedInstructions);
            visit(*outside[0]);
            visit(*outside[1]);
        }
        void read(std::vector<uint64_t> &all) const {
            all.clear();
            each([&](uint64_t one) { all.push_back(one); });
        }
        void repeat(const std::vector<uint64_t> &around, uint64_t times) {
            auto more = around.begin();
            each([&](uint64_t &one) { one += *more++ * times; });
        }
        void add(Events which, uint64_t ticks) {
            for (; which; which &= which - 1)
                events[static_cast<unsigned>(__builtin_ctzll(which))] += ticks;
        }
    };
    Row row() {
        Sums &sums = counts_ ? now_ : unread_;
        const unsigned set = windows_.set();
        Sums &paused = windows_.pathPaused() ? sums : unread_;
        return {sums.table[set].data(),
                sums.events[set & 1].data(),
                &paused.pausedTicks,
                &paused.pausedInstructions,
                counts_,
                coherent_,
                sums.causes[set & 1][0].data(),
                {&sums.slots[0].outside, &sums.slots[1].outside}};
    }
    void issued(uint64_t pc) { issues(pc, windows_.set() & 1); }
    /// Ticks with this owner and cause, of a machine with private b-caches.
    void caused(Owner owner, Cause cause, uint64_t count) {
        causes(owner, cause, count, windows_.set() & 1);
    }
    /// The host's word between two ticks: bits of CounterControl. True: as of `tick`.
    bool control(uint64_t what);
    /// Return true if the last tick counts on the path.
    bool onPath() const { return counts_ && windows_.set() & 1; }
    /// Since a cold start window 1 has closed, and the counters were copied.
    bool coldEnded() const { return coldEnded_; }
    /// The copy made last.
    Counters copy() const { return named(copy_); }
    /// The counters now.
    Counters now() const { return named(now_); }

  private:
    static constexpr Events counted = ~coldStart;
    static constexpr auto causedPlaces = [] { ///< by owner; that of no caused one is the last
        std::array<uint8_t, ownerCount> places{};
        for (uint8_t &place : places)
            place = static_cast<uint8_t>(causedOwners.size());
        for (unsigned n = 0; n < causedOwners.size(); ++n)
            places[static_cast<unsigned>(causedOwners[n])] = static_cast<uint8_t>(n);
        return places;
    }();
    static constexpr uint64_t codeBytes = 256 * 1024;

    struct Slots {
        uint64_t words = 0, blocks = 0, outside = 0;
    };
    struct Sums {
        std::array<std::array<uint64_t, ownerCount>, Windows::sets>
            table{};                                                     ///< ticks by set, owner
        std::array<std::array<uint64_t, eventNames.size()>, 2> events{}; ///< off, on the path
        std::array<Slots, 2> slots{};                                    ///< everything, path
        std::array<std::array<std::array<uint64_t, causeCount>, causedOwners.size()>, 2>
            causes{}; ///< ticks off, on the path, by owner and cause
        std::array<uint64_t, Windows::count> invocations{};
        uint64_t pausedTicks = 0, pausedInstructions = 0;
    };

    void issues(uint64_t pc, bool path) {
        const uint64_t word = ((pc & physicalMask) - codeWindow_) / 4;
        const unsigned banks = path ? 3 : 1;
        if (word >= words_.size()) {
            ++now_.slots[0].outside;
            now_.slots[1].outside += path;
        } else if (banks & ~words_[word]) {
            firstIssue(word, banks);
        }
    }
    void causes(Owner owner, Cause cause, uint64_t count, bool path) {
        if (open_ && cause != Cause::open)
            closes(cause);
        const unsigned place = causedPlaces[static_cast<unsigned>(owner)];
        if (place == causedOwners.size() || !counts_)
            return;
        now_.causes[path][place][static_cast<unsigned>(cause)] += count;
        open_ |= cause == Cause::open;
    }
    void closes(Cause known);
    void firstIssue(uint64_t word, unsigned banks);
    bool between(bool cold);
    void clear();
    Counters named(const Sums &sums) const;
    std::map<std::string, uint64_t> bank(const Sums &sums, bool path) const;

    Windows windows_;
    Sums now_, copy_, unread_;
    bool counts_ = true;
    bool copies_ = false; ///< both banks are copied behind this tick
    bool cold_ = false;   ///< the end of window 1 will be copied
    bool coldEnded_ = false;
    bool coherent_;
    std::vector<Event> events_; ///< that this machine counts
    bool open_ = false;         ///< some causes are not known yet
    uint64_t codeWindow_, blockWords_;
    std::vector<uint8_t> words_, blocks_; ///< banks that have seen it, everything's bit first
};

} // namespace mcpi::exact
