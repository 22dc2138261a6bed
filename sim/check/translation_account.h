// SPDX-License-Identifier: BSD-2-Clause
// The counters of translation once more, from the traps and the HW_REI that were taken
// (docs/explanation/translation.md, Refill and Counters). Events come in the order of ticks.
#pragma once
#include <cstdint>

#include "account.h"
#include "base/machine.h"

namespace mcpi {

class TranslationAccount {
  public:
    enum Side { instruction, data };

    TranslationAccount(const Machine &machine, const CountingHistory &history);

    /// A fetch finds no entry in this tick; its trap comes later, or an interrupt before it.
    void fetchFails(uint64_t tick);
    /// The trap of a side's miss; `inside`: a refill goes on, or PALcode's own access has missed.
    void misses(Side side, uint64_t tick, bool inside);
    void faults(uint64_t tick);
    void switches(uint64_t tick);
    /// HW_REI has issued in this tick and left PAL mode; `awaited`: the tick before belonged to
    /// translation. Whether the floor of its refill, if it ends one, lets it issue just then.
    bool returns(uint64_t tick, bool awaited);

    /// Everything up to this tick is known; then the sums.
    const Account &sums(uint64_t end);

  private:
    static constexpr uint64_t never = ~uint64_t{0};

    void refillUpTo(uint64_t tick);
    void add(uint64_t tick, const char *name);

    Account account_;
    uint64_t floor_;           ///< ticks of a refill, at least
    uint64_t penalty_;         ///< ticks that HW_REI costs
    uint64_t first_ = never;   ///< of the refill under way
    uint64_t next_ = never;    ///< likewise: the first tick not yet counted
    uint64_t last_ = never;    ///< its last one, if that is known
    const char *refills_ = ""; ///< its counter
    uint64_t failed_ = never;  ///< the last tick of a fetch without an entry
};

} // namespace mcpi
