// SPDX-License-Identifier: BSD-2-Clause
// The counters once more, from the owner of every tick and the retired instructions alone.
#pragma once
#include <deque>
#include <optional>

#include "account.h"
#include "base/counters.h"
#include "base/machine.h"
#include "base/markers.h"
#include "base/retirement.h"

namespace mcpi {

/// Words or blocks of the code window, by number, from which an instruction has been issued.
class Touched {
  public:
    /// Return true if `n` was not there yet.
    bool insert(std::size_t n) {
        if (there_.size() <= n)
            there_.resize(n + 1);
        const bool news = !there_[n];
        there_[n] = true;
        return news;
    }
    void clear() { there_.clear(); }

  private:
    std::vector<bool> there_;
};

/// Report of the core on one tick.
struct CoreTick {
    uint64_t tick;
    unsigned owner;
    uint64_t pc; ///< of the instruction that issues
    bool trapped, coldStart;
    uint64_t count = 1;   ///< so many equal ticks from `tick` on
    bool awaited = false; ///< the tick before belonged to translation
};

class Recount {
  public:
    Recount(const Machine &machine, const NodeInfo &info, const std::vector<Marker> &markers);

    /// The host's word, before the next tick; bits as in CounterControl.
    void control(uint64_t bits);
    void tick(const CoreTick &t);
    /// A cold invocation has several parts: the host, not the first closing, ends it.
    void coldEndsByHost() { coldByHost_ = true; }
    /// `issued`: the tick in which it did; `redirected`: its successor is not the next in memory.
    void retired(uint64_t issued, const Retirement &r, bool redirected);
    void trapped(bool fetchMissed);
    /// The STx_C that retired first of those whose outcome is open was decided in this tick;
    /// `stores`: to memory, for one whose result goes to r31.
    void conditional(uint64_t tick, std::optional<bool> stores);
    /// There was one of which nobody knows whether it stored.
    bool unsure() const { return unsure_; }

    /// Adds the sums of all counters that follow from these streams.
    void sums(uint64_t end, Account &into);
    const CountingHistory &history() const { return history_; }
    /// Windows of the ticks so far.
    const WindowTable &windows() const { return table_; }

  private:
    /// A window other than the path's.
    struct Further {
        std::vector<Marker> markers;
        bool open = false, paused = false;
    };
    struct Gap {
        std::vector<uint64_t> misses; ///< ticks in which waiting for instructions began
        std::vector<uint64_t> again;  ///< in which a block that had come missed again: FLUSH_IC
    };

    void moveWindow(const CoreTick &t);
    void countWindows(const CoreTick &t, bool issues);
    void clearWindows();
    void change(uint64_t tick, bool cleared);
    void fetchMiss(uint64_t otherwise);

    const NodeInfo &info_;
    bool back_; ///< stores ask the D-cache, not the write buffer
    std::vector<Marker> markers_;
    std::vector<Further> further_; ///< from window 2 on
    WindowTable table_;
    std::vector<bool> waitsForFetch_;    ///< by owner
    std::vector<unsigned> ownerNumbers_; ///< likewise
    uint64_t codeWindow_, blockBytes_, issue_, refills_;

    CountingHistory history_;
    Account ticks_, executed_, missed_;
    CountingChange state_;
    uint64_t nextTick_ = 0;
    bool open_ = false, paused_ = false, cold_ = false, coldClosed_ = false, coldByHost_ = false;
    Touched words_[2], blocks_[2]; ///< by Account::Bank

    bool waiting_ = false; ///< the tick before belonged to the fetch of an instruction
    bool came_ = false;    ///< to the restart after it
    Gap gap_;
    std::deque<Gap> gaps_; ///< before each issued instruction that has not retired
    unsigned trapMisses_ = 0;
    std::deque<std::optional<bool>> conditionals_; ///< whether they stored, if that is known
    bool unsure_ = false;
};

} // namespace mcpi
