// SPDX-License-Identifier: BSD-2-Clause
#include "translation_account.h"

#include "memory/geometry.h"

namespace mcpi {

TranslationAccount::TranslationAccount(const Machine &machine, const CountingHistory &history)
    : account_(history), floor_(machine.parameter("tlb.refill_floor")),
      penalty_(memory::geometry(machine).takenPenalty) {}

void TranslationAccount::add(uint64_t tick, const char *name) {
    account_.add(tick, counterNumber(name));
}

/// The refill's ticks before `tick`.
void TranslationAccount::refillUpTo(uint64_t tick) {
    for (; next_ < tick && next_ <= last_; ++next_)
        add(next_, refills_);
    if (last_ != never && next_ > last_)
        next_ = last_ = never;
}

void TranslationAccount::fetchFails(uint64_t tick) {
    refillUpTo(tick);
    add(tick, "itb.refill_ticks");
    failed_ = tick;
}

void TranslationAccount::misses(Side side, uint64_t tick, bool inside) {
    refillUpTo(tick);
    if (!inside) {
        refills_ = side == data ? "dtb.refill_ticks" : "itb.refill_ticks";
        next_ = tick;
        last_ = never;
        first_ = side == data ? tick : tick - 1;
        if (side == instruction && failed_ + 1 != tick) // a product's overflow was waited for
            add(tick - 1, refills_);
    }
    add(tick, side == data ? "dtb.misses" : "itb.misses");
}

void TranslationAccount::faults(uint64_t tick) {
    refillUpTo(tick);
    add(tick, "translation.faults");
}

void TranslationAccount::switches(uint64_t tick) {
    refillUpTo(tick);
    add(tick, "context_switches");
}

bool TranslationAccount::returns(uint64_t tick, bool awaited) {
    refillUpTo(tick);
    last_ = tick + penalty_;
    if (first_ == never)
        return !awaited;
    const uint64_t least = first_ + floor_; // the first tick of the instruction that goes on
    first_ = never;
    return awaited ? last_ + 1 == least : last_ + 1 >= least;
}

const Account &TranslationAccount::sums(uint64_t end) {
    refillUpTo(end + 1);
    account_.advance(end);
    return account_;
}

} // namespace mcpi
