// SPDX-License-Identifier: BSD-2-Clause
// Console, exit, timer and identity registers for a model that runs on its own
// (machines/memory-map.toml [system]). There is no network adapter: its addresses do not answer.
#pragma once
#include <cstdio>

#include "base/machine.h"
#include "cpu.h"

namespace mcpi::alpha {

class Devices : public Outside {
  public:
    /// `console` gets the guest's bytes.
    Devices(const Machine &machine, uint64_t node, std::FILE *console);

    bool read(uint64_t physical, unsigned bytes, uint64_t &value) override;
    bool write(uint64_t physical, unsigned bytes, uint64_t value) override;
    uint64_t interrupts() override { return pending_ ? timerMask_ : 0; }
    uint64_t cycles() override { return counting_ ? now() - zero_ : count_; }
    /// The next instruction reads `count`.
    void setCycles(uint32_t count, bool counting) override {
        counting_ = counting;
        count_ = count;
        zero_ = now() + 1 - count;
    }

    /// Take an instruction as a tick: the clock is the processor's count of them.
    void follow(const uint64_t &executed) { executed_ = &executed; }
    uint64_t now() const { return *executed_ + slept_; }
    /// Raise the timer interrupt if it is due.
    void advance() {
        if (now() >= nextTimer_)
            expire();
    }
    /// Ticks until it is due.
    uint64_t untilTimer() const { return nextTimer_ - now(); }
    /// Sleep until the next timer interrupt; false when none will ever come.
    bool skip();

    bool exited = false;
    unsigned exitCode = 0;

  private:
    void expire();

    struct Registers {
        uint64_t magic, rtl, machine, node, data, status, exit, ticks, acknowledge, control,
            pending;
    } at_;
    std::FILE *console_;
    const uint64_t *executed_ = nullptr;
    uint64_t slept_ = 0; ///< ticks without an instruction
    uint64_t node_, period_, nextTimer_, timerMask_;
    bool enabled_ = false, pending_ = false, counting_ = true;
    uint64_t zero_ = 0;  ///< the tick in which the cycle counter was 0
    uint64_t count_ = 0; ///< it stands there
};

} // namespace mcpi::alpha
