// SPDX-License-Identifier: BSD-2-Clause
// The recount's windows against docs/counters.md: a cold path whose last instruction has two
// comparators, in all pairs of actions.
#include <fstream>

#include "driver/recount.h"
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

} // namespace

int main(int, char **arguments) {
    const Machine machine(arguments[1]);
    std::ofstream(arguments[2]) << R"({"owners": ["issue"], "counters": [], "registers": {},
                                       "comparators": 16, "rtl_digest": ""})";
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
}
