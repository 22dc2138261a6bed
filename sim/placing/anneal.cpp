// SPDX-License-Identifier: BSD-2-Clause
#include "anneal.h"

#include <cmath>

#include "base/error.h"

namespace mcpi::placing {

namespace {

constexpr uint64_t tellEach = 2'000;
constexpr double hot = 60, cold = 0.5; // ticks: what a step up may cost at the begin, at the end

/// Numbers that are the same with every library.
class Draw {
  public:
    explicit Draw(uint64_t seed) : engine_(seed) {}
    uint64_t below(uint64_t n) { return engine_() % n; }
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  private:
    std::mt19937_64 engine_;
};

/// Move one function or a row of neighbours elsewhere, exchange two, or slide one a little.
void move(Positions &at, const Problem &p, Draw &draw) {
    const size_t n = at.size(), one = draw.below(n);
    const unsigned grains = p.cache / p.grain;
    switch (draw.below(4)) {
    case 0:
        at[one] = p.grain * draw.below(grains);
        break;
    case 1:
        std::swap(at[one], at[draw.below(n)]);
        break;
    case 2: { // by at most two blocks, either way
        const unsigned most = std::max(1u, 2 * p.block / p.grain);
        const unsigned by = p.grain * draw.below(2 * most + 1);
        at[one] = (at[one] + p.cache + by - p.grain * most) % p.cache;
        break;
    }
    default: { // behind another, without a gap; those that follow it go along
        const size_t other = draw.below(n), row = 1 + draw.below(3);
        const auto placeAfter = [&](size_t f, unsigned from) {
            return (from + (p.sizes[f] + p.grain - 1) / p.grain * p.grain) % p.cache;
        };
        unsigned end = placeAfter(other, at[other]);
        for (size_t f = one; f < std::min(n, one + row); ++f) {
            at[f] = end;
            end = placeAfter(f, end);
        }
    }
    }
}

} // namespace

Best anneal(const Problem &problem, const Positions &first, const Search &search,
            const std::function<bool(uint64_t, const Best &)> &progress) {
    Cost cost(problem);
    Draw draw(search.seed);
    const double sign = search.worst ? -1 : 1;
    Best best{first, cost.of(first)};
    if (!cost.fits())
        throw UserError("the first positions need more pages than the area has.");
    Positions now = first, next;
    double ticks = sign * static_cast<double>(best.found.ticks), least = ticks;
    for (uint64_t done = 0; done < search.candidates; ++done) {
        if (done % tellEach == 0 && !progress(done, best))
            break;
        const double share = static_cast<double>(done) / static_cast<double>(search.candidates);
        const double heat = hot * std::pow(cold / hot, share);
        next = now;
        move(next, problem, draw);
        const Found found = cost.of(next);
        if (!cost.fits())
            continue;
        const double other = sign * static_cast<double>(found.ticks);
        if (other > ticks && draw.unit() >= std::exp((ticks - other) / heat))
            continue;
        now = next;
        ticks = other;
        if (ticks < least) {
            least = ticks;
            best = {now, found};
        }
    }
    return best;
}

} // namespace mcpi::placing
