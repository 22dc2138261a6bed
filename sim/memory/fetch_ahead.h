// SPDX-License-Identifier: BSD-2-Clause
// Stages F1 and F2 and the spare entry before stage D, where memory takes no ticks: which
// instructions are read ahead, and so which blocks are fetched (docs/explanation/core.md).
#pragma once
#include <cstdint>

namespace mcpi::memory {

/// A tick at a time. `Memory` has `hits(pc)`, as F1 reads it, and `fill(pc)`, between two ticks.
class FetchAhead {
  public:
    /// Stage D has an instruction.
    bool there() const { return d_ && !turning_; }
    /// Every further tick would be like this one, as long as stage D stays.
    bool rests() const { return d_ && spare_ && f2_ && !turning_ && !redirects_ && !follows_; }
    /// Behind the last instruction that has been read and was there.
    uint64_t readUpTo() const { return turning_ ? 0 : f2_ && !hit_ ? pc_ : pc_ + 4; }
    /// In the next tick stage D has nothing, and F2 misses at `pc`.
    void cold(uint64_t pc) {
        *this = {};
        f2_ = true;
        pc_ = pc;
    }
    /// From the next tick on, fetching goes to `pc`, `delay` ticks later than at once.
    void turn(uint64_t pc, uint64_t delay = 0) {
        turning_ = true;
        pc_ = pc;
        wait_ = delay;
    }
    /// Stage E1 will say so in the next tick.
    void redirect(uint64_t pc, uint64_t delay) {
        redirects_ = true;
        target_ = pc;
        delay_ = delay;
    }
    /// In this tick stage D predicts that `pc` follows, `penalty` ticks behind it.
    void follow(uint64_t pc, unsigned penalty) {
        follows_ = true;
        target_ = pc;
        delay_ = penalty;
    }

    /// The tick is over: stage D's instruction has left it, or traps.
    template <typename Memory> void end(bool departs, bool traps, Memory &memory) {
        if (turning_) {
            d_ = spare_ = f2_ = false;
            if (wait_)
                --wait_;
            else
                read(pc_, memory);
            turning_ = wait_ || !f2_;
        } else if (follows_ && !redirects_) {
            spare_ = f2_ = false;
            d_ &= !departs;
            wait_ = delay_ > 1 ? delay_ - 2 : 0;
            if (delay_ > 1)
                pc_ = target_ - 4; // what F1 reads next
            else
                read(target_, memory);
        } else {
            advance(departs, traps || redirects_, memory);
        }
        follows_ = false;
        if (redirects_)
            turn(target_, delay_);
        redirects_ = false;
    }

  private:
    template <typename Memory> void advance(bool departs, bool lost, Memory &memory) {
        const bool here = f2_ && !spare_, stays = f2_ && spare_;
        if (here && !hit_ && !lost)
            memory.fill(pc_);
        if (!d_ || departs) {
            d_ = spare_ || here;
            spare_ = false;
        } else if (!spare_) {
            spare_ = here;
        }
        if (stays)
            return;
        f2_ = false;
        if (wait_)
            --wait_;
        else
            read(pc_ + 4, memory);
    }
    template <typename Memory> void read(uint64_t pc, Memory &memory) {
        pc_ = pc;
        f2_ = true;
        hit_ = memory.hits(pc);
    }

    bool turning_ = false, redirects_ = false, follows_ = false;
    bool d_ = false, spare_ = false, f2_ = false; ///< who has an instruction
    bool hit_ = false;                            ///< F2's is in the I-cache
    uint64_t pc_ = 0;                             ///< F2's; while turning, where F1 goes
    uint64_t target_ = 0, delay_ = 0, wait_ = 0;
};

} // namespace mcpi::memory
