// SPDX-License-Identifier: BSD-2-Clause
// Locks of one bit outside memory, on a bus of their own (docs/explanation/multiprocessor.md,
// Devices).
#pragma once
#include <bitset>

#include "base/machine.h"
#include "io_arbiter.h"

namespace mcpi::exact {

class SyncBus {
  public:
    static constexpr unsigned locks = 1024;

    explicit SyncBus(const Machine &m)
        : arbiter_(static_cast<unsigned>(m.parameter("core.count"))), there_(on(m)),
          base_(there_ ? m.base("io", "system") + m.offset("system", "sync_lock") : 0),
          ticks_(there_ ? m.parameter("sync.ticks") : 0) {}

    bool has(uint64_t address) const {
        return there_ && address >= base_ && address < base_ + locks * sizeof(uint64_t);
    }
    void request(unsigned core, const IoArbiter::Access &access) { arbiter_.request(core, access); }
    /// The tick of the next grant, as far as that is known.
    uint64_t next() const { return arbiter_.next(); }
    /// Grant the bus in this tick, and carry out the access.
    unsigned grant(uint64_t tick) {
        const unsigned core = arbiter_.grant(tick);
        if (core == IoArbiter::nobody)
            return core;
        const IoArbiter::Access &access = arbiter_.of(core);
        const auto lock = static_cast<unsigned>((access.address - base_) / sizeof(uint64_t));
        old_ = bits_[lock];
        bits_[lock] = !access.write;
        ends_ = tick + ticks_;
        return core;
    }
    unsigned owner() const { return arbiter_.owner(); }
    uint64_t ends() const { return ends_; }
    /// The access ends in `tick`, in which the next may be granted. What a load gets.
    bool over(uint64_t tick) {
        arbiter_.over(tick);
        return old_;
    }

  private:
    static bool on(const Machine &m) { return m.has("sync.bus") && m.parameter("sync.bus"); }

    IoArbiter arbiter_;
    bool there_, old_ = false;
    uint64_t base_, ticks_, ends_ = 0;
    std::bitset<locks> bits_;
};

} // namespace mcpi::exact
