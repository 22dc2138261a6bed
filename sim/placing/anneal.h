// SPDX-License-Identifier: BSD-2-Clause
// Simulated annealing over positions of functions.
#pragma once
#include <functional>
#include <random>

#include "cost.h"

namespace mcpi::placing {

struct Search {
    uint64_t seed = 1;
    uint64_t candidates = 200'000;
    bool worst = false; // the sign turned: the most ticks that can be had
};

struct Best {
    Positions positions;
    Found found;
};

/// The best of all candidates, from `first` on. `progress(done, best)` now and then; false ends it.
Best anneal(const Problem &problem, const Positions &first, const Search &search,
            const std::function<bool(uint64_t, const Best &)> &progress);

} // namespace mcpi::placing
