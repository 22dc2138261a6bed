// SPDX-License-Identifier: BSD-2-Clause
// The lock flag, and the STx_C that waits to be decided (docs/explanation/core.md, Locks).
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

namespace mcpi::memory {

class Locks {
  public:
    explicit Locks(uint64_t blockBytes) : blockBytes_(blockBytes) {}

    /// LDx_L in stage E1.
    void take(uint64_t address) { flag_ = address; }
    /// A trap, HW_REI: a STx_C that has the flag keeps it.
    void fall() { flag_.reset(); }
    /// STx_C in stage E1, in tick `tick`; `outcome`: how it came out, instead of what the flag
    /// says.
    void begin(uint64_t tick, uint64_t address, std::optional<bool> outcome) {
        const bool good = flag_ && *flag_ / range == address / range;
        waiting_ = Waiting{address, tick + 2, outcome.value_or(good)};
        if (flag_)
            waiting_->guarded = *flag_;
        flag_.reset();
    }
    /// A DMA write of this address ends in tick `tick`.
    void written(uint64_t tick, uint64_t address) {
        if (flag_ && meets(*flag_, address))
            flag_.reset();
        if (waiting_ && waiting_->guarded && meets(*waiting_->guarded, address))
            waiting_->falls = std::min(waiting_->falls, tick + 2);
    }

    bool waits() const { return waiting_.has_value(); }
    uint64_t address() const { return waiting_->address; }
    bool toIo() const { return waiting_->address >> 32; }
    /// STx_C is decided in this tick: it does not store.
    bool refused(uint64_t tick) const {
        return tick >= waiting_->known && (!waiting_->good || tick >= waiting_->falls);
    }
    /// It wants an entry of the write buffer, which is empty; or the I/O bus.
    bool ready(uint64_t tick) const {
        return tick >= waiting_->known && !waiting_->entered && !refused(tick);
    }
    void enter() { waiting_->entered = true; }
    bool entered() const { return waiting_ && waiting_->entered; }
    /// The flag is falling: the entry must not be sent.
    bool falling() const { return waiting_->falls != never; }
    /// In this tick.
    void decide(uint64_t tick) {
        waiting_.reset();
        over_ = tick + 2;
    }
    /// Nothing issues.
    bool holds(uint64_t tick) const { return waiting_ || tick < over_; }
    /// From this tick on the last STx_C holds nothing.
    uint64_t over() const { return over_; }

  private:
    static constexpr uint64_t range = 32; ///< bytes that LDx_L guards
    static constexpr uint64_t never = ~uint64_t{0};
    struct Waiting {
        uint64_t address;
        uint64_t known; ///< the tick in which its flag is
        bool good;
        uint64_t falls = never; ///< the tick from which DMA has taken the flag
        std::optional<uint64_t> guarded = {};
        bool entered = false; ///< it has its entry of the write buffer
    };

    bool meets(uint64_t one, uint64_t other) const {
        const uint64_t bytes = std::max(range, blockBytes_);
        return one / bytes == other / bytes;
    }

    uint64_t blockBytes_;
    std::optional<uint64_t> flag_; ///< up: the address that LDx_L named
    std::optional<Waiting> waiting_;
    uint64_t over_ = 0;
};

} // namespace mcpi::memory
