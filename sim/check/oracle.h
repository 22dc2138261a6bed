// SPDX-License-Identifier: BSD-2-Clause
// Beside a node: recounts what its streams imply and lets the memory model predict the rest; at the
// end the hardware's counters must be equal to both (docs/reference/counters.md).
#pragma once
#include <array>
#include <optional>

#include "base/counters.h"
#include "memory/trace_driven.h"
#include "replay.h"
#include "retirement_recount.h"
#include "spaces.h"
#include "translation_account.h"

namespace mcpi {

class Oracle {
  public:
    Oracle(const Machine &machine, const NodeInfo &info, unsigned node,
           const std::vector<Marker> &markers);

    void control(uint64_t bits) { recount_.control(bits); }
    void coldEndsByHost() { recount_.coldEndsByHost(); }
    void tick(const CoreTick &t);
    void retired(const Retirement &r);
    void trapped(uint16_t vector, uint64_t exceptionAddress, bool fetchMissed);
    void dma(uint64_t tick, uint64_t address, bool write);

    /// The instruction word at a physical address, for one that a trap kept from issuing.
    std::function<uint32_t(uint64_t)> instructionAt;
    /// From now on, keep what the window holds; `replay->write` replays it.
    void keepTrace() { replay.emplace(geometry_); }
    std::optional<Replay> replay;
    /// Values of the path's bank by counter: the hardware's, those that retirements imply, those
    /// that the memory model predicts. Valid when `compare` has run.
    std::map<std::string, std::map<std::string, uint64_t>> numbers;
    /// RunError that names every counter that differs from what it should be.
    void compare(uint64_t end, const Counters &hardware);
    uint64_t compared = 0; ///< counters

  private:
    void settle(uint64_t nextPc);
    void colds(uint64_t before, uint64_t pc);
    void feed(memory::Step &step, uint64_t pc);
    uint64_t accessed(const Retirement &r);
    void executed(const Retirement &r);
    void judge(uint16_t vector, uint64_t pc, uint32_t instruction, const memory::Step &step);
    [[noreturn]] void differs(uint64_t tick, uint64_t pc, const std::string &what) const;
    bool taken(uint64_t nextPc) const;
    void replayed(const memory::Step &step);

    const NodeInfo &info_;
    Recount recount_;
    memory::Geometry geometry_;
    memory::TraceDriven model_;
    Account predicted_;
    std::array<unsigned, eventNames.size()> numbers_; ///< of the model's counters, by event
    unsigned node_;
    bool predicts_; ///< the memory model does
    /// Of a machine that translates, if the memory model predicts.
    std::optional<Spaces> spaces_;
    std::optional<TranslationAccount> translated_;
    bool awaits_ = false;      ///< the last tick belonged to it
    bool fetchMissed_ = false; ///< the I-cache, in the step that is fed
    std::size_t changes_ = 0;  ///< of the recount's history, that `replay` has seen
    CountingChange change_;

    std::deque<CoreTick> issued_, traps_, colds_;
    /// The retirement before: the next one shows whether it redirected.
    std::optional<Retirement> before_;
    uint64_t beforeIssued_ = 0;
    bool beforeAwaited_ = false;
    std::optional<memory::Step::What> last_;
    bool redirected_ = false;
    uint64_t registers_[32] = {};
};

} // namespace mcpi
