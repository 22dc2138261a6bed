// SPDX-License-Identifier: BSD-2-Clause
// The recount against counters.md: a cold path whose last instruction has two comparators, in
// all pairs of actions, and one whose first instruction missed before the cold start too; windows
// that nest and overlap.
#include <fstream>
#include <iterator>

#include "check/retirement_recount.h"
#include "test/check.h"

using namespace mcpi;

namespace {

constexpr uint64_t at = 0x100100; // the instruction with two comparators
constexpr unsigned after = 3;     // ticks after it

/// Ticks 0 (the cold start's), 1, 2 (at `at`) and `after` more, one instruction in each.
struct Run {
    uint64_t all, path, paused;
};
Run run(const Machine &machine, const NodeInfo &info, unsigned first, unsigned second) {
    Recount recount(machine, info, {{at, first, 1}, {at, second, 1}});
    for (uint64_t tick = 0; tick < 3 + after; ++tick)
        recount.tick({tick, 0, tick == 2 ? at : 0x100000, false, tick == 0});
    Account sums(recount.history());
    recount.sums(2 + after, sums);
    return {sums.sum(Account::all, "ticks"), sums.sum(Account::path, "ticks"),
            sums.sum(Account::path, "paused.ticks")};
}

enum Owner : unsigned { issue, fetches, waits, restarts };

/// I-misses of a cold path: its first instruction waits to be fetched, then for the cold start,
/// and is fetched once more from the empty cache. Only the latter is the path's.
uint64_t missesOfAColdStart(const Machine &machine, const NodeInfo &info) {
    Recount recount(machine, info, {});
    const unsigned owners[] = {issue, fetches, waits, fetches, fetches, issue};
    for (uint64_t tick = 0; tick < std::size(owners); ++tick)
        recount.tick({tick, owners[tick], 0x100000 + 4 * (tick > 0), false, tick == 2});
    Retirement retirement{};
    recount.retired(0, retirement, false);
    retirement.iMiss = true;
    recount.retired(5, retirement, false);
    Account sums(recount.history());
    recount.sums(6, sums);
    return sums.sum(Account::path, "icache.misses");
}

/// I-misses of an instruction whose block comes as FLUSH_IC acts, and then misses again.
uint64_t missesOfAFlush(const Machine &machine, const NodeInfo &info) {
    Recount recount(machine, info, {{0x100000, actionOpen, 1}});
    const unsigned owners[] = {issue,    restarts, restarts, fetches,
                               restarts, issue,    restarts, issue};
    for (uint64_t tick = 0; tick < std::size(owners); ++tick)
        recount.tick({tick, owners[tick], 0x100000 + 4 * (tick > 0), false, false});
    Retirement retirement{};
    recount.retired(0, retirement, false);
    retirement.iMiss = true;
    recount.retired(5, retirement, false);
    recount.retired(7, retirement, false);
    Account sums(recount.history());
    recount.sums(8, sums);
    return sums.sum(Account::path, "icache.misses");
}

/// Spin lies in the path, hold begins in it and ends after it; hold's last instruction is the one
/// at which spin begins once more, and pauses.
WindowTable furtherWindows(const Machine &machine, const NodeInfo &info) {
    const auto pc = [](uint64_t n) { return 0x100000 + 4 * n; };
    Recount recount(machine, info,
                    {{pc(1), actionOpen, 1},
                     {pc(2), actionOpen, 2},
                     {pc(2), actionInvocation, 2},
                     {pc(4), actionClose, 2},
                     {pc(5), actionOpen, 3},
                     {pc(6), actionClose, 1},
                     {pc(8), actionClose, 3},
                     {pc(8), actionOpen, 2},
                     {pc(9), actionPause, 2},
                     {pc(10), actionResume, 2}});
    for (uint64_t n = 0; n < 12; ++n) {
        recount.tick({10 * n, issue, pc(n), false, false});
        recount.tick({10 * n + 1, waits, pc(0), false, false, 9});
    }
    return recount.windows();
}

} // namespace

int main(int, char **arguments) {
    const Machine machine(arguments[1]);
    std::ofstream(arguments[2])
        << R"({"owners": ["issue", "i_demand", "barrier", "refill_restart"], "counters": [],
               "registers": {}, "windows": ["path", "spin", "hold"], "comparators": 24,
               "rtl_digest": ""})";
    const NodeInfo info(arguments[2]);
    for (unsigned first = 0; first <= 5; ++first)
        for (unsigned second = 0; second <= 5; ++second) {
            const bool closes = first == actionClose || second == actionClose;
            const bool opensAgain = first == actionClose && second == actionOpen;
            const bool pauses = !closes && (second == actionPause ||
                                            (first == actionPause && second != actionResume));
            const Run found = run(machine, info, first, second);
            // The copy is made after the tick of the instruction that closes, whoever opens again.
            const unsigned left = closes ? 0 : after;
            CHECK(found.all == 2 + left);
            CHECK(found.path == 1u + (closes ? opensAgain : pauses ? 0 : 1 + after));
            CHECK(found.paused == (pauses ? 1 + after : 0));
        }
    CHECK(missesOfAColdStart(machine, info) == 1);
    CHECK(missesOfAFlush(machine, info) == 3);
    const WindowTable table = furtherWindows(machine, info);
    // none: 0, 9; path: 1, 4; path and spin: 2, 3; spin: 8, 10, 11; path and hold: 5; hold: 6, 7
    const uint64_t wanted[] = {2, 2, 3, 2, 2, 1, 0, 0};
    CHECK(table.ticks.size() == std::size(wanted));
    for (unsigned set = 0; set < std::size(wanted); ++set) {
        CHECK(table.ticks[set][issue] == wanted[set]);
        CHECK(table.ticks[set][waits] == 9 * wanted[set]);
    }
    CHECK(table.invocations.at("spin") == 1 && table.invocations.at("hold") == 0);
}
