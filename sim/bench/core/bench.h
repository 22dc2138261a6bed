// SPDX-License-Identifier: BSD-2-Clause
// The processor alone (Verilated AlphaLite) in random surroundings, every retirement in lock-step.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "check/lockstep.h"
#include "coverage.h"
#include "surroundings.h"

class VAlphaLite;
class VerilatedContext;

namespace mcpi {

class CoreBench {
  public:
    static constexpr unsigned owners = 32;

    CoreBench(const Machine &machine, const Weather &weather, std::string reproduce);
    ~CoreBench();

    void place(const Image &image);
    /// Run until the guest halts; it is asked to after `instructions`. RunError on any difference.
    void run(uint64_t instructions);

    uint64_t ticks() const { return around.now; }
    Surroundings around;
    uint64_t clocks = 0, traps = 0;
    bool ports = false;                   ///< `portDigest` is wanted
    std::function<void(bool tick)> watch; ///< after each clock
    bool skips = false;                   ///< idle ticks are skipped, as far as the core allows
    std::array<uint64_t, owners> owned{}; ///< ticks by owner
    uint64_t eventDigest = 0xcbf29ce484222325; ///< of all events, in the order of ticks
    uint64_t portDigest = eventDigest;         ///< of what else leaves the core, with the tick
    std::array<uint64_t, 64> opcodes{};        ///< retired instructions
    std::unordered_set<uint32_t> words;        ///< distinct instruction words that retired
    std::array<uint64_t, 6> trapped{};         ///< by `trapNames`
    static constexpr std::array<uint16_t, 6> vectors = {
        alpha::vectorMachineCheck, alpha::vectorArithmetic, alpha::vectorInterrupt,
        alpha::vectorUnaligned,    alpha::vectorIllegal,    alpha::vectorFloating};
    Coverage coverage;
    const Lockstep &lockstep() const { return lockstep_; }

  private:
    bool clock(); ///< whether it was a tick
    void reset();
    void account(uint64_t now, Coverage::Bus bus);
    void answer(const Surroundings::Drive &d);
    uint64_t skipped();
    void digestPorts();
    void aim(bool started);
    void observe();
    void retire();
    void check(const std::string &what) {
        if (!what.empty())
            lockstep_.mismatch(ticks(), what);
    }
    void compareMemory();
    template <typename T> void drive(T &port, T value) {
        settled_ &= port == value;
        port = value;
    }

    const Machine &machine_;
    Lockstep lockstep_;
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<VAlphaLite> top_;
    unsigned coldEvery_, emptying_ = 0; ///< clocks in which a node empties its tags
    bool ideal_, settled_ = false;
    std::vector<uint64_t> issued_; ///< ring of issue ticks
    uint64_t issueCount_ = 0, lastRetirement_ = 0, asleep_ = 0;
    uint64_t lastPc_ = 0, aimAt_ = 0;
    std::vector<bool> seen_; ///< instruction addresses that retired
};

} // namespace mcpi
