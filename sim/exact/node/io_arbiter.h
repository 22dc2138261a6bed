// SPDX-License-Identifier: BSD-2-Clause
// Which core has a way to devices: one access at a time, in turn after the core served last.
#pragma once
#include <cstdint>
#include <vector>

namespace mcpi::exact {

class IoArbiter {
  public:
    static constexpr unsigned nobody = ~0u;
    struct Access {
        uint64_t address = 0, value = 0;
        unsigned bytes = 8;
        bool write = false, waits = false;
    };

    explicit IoArbiter(unsigned cores) : waiting_(cores), last_(cores - 1) {}

    void request(unsigned core, const Access &access) {
        count_ += !waiting_[core].waits;
        waiting_[core] = access;
        waiting_[core].waits = true;
    }
    /// The core that has the bus, until its answer.
    unsigned owner() const { return owner_; }
    /// It is answered: the next access begins in the tick `from` at the earliest.
    void over(uint64_t from) {
        owner_ = nobody;
        from_ = from;
    }
    bool waits() const { return count_; }
    /// The tick in which somebody gets it.
    uint64_t next() const { return owner_ == nobody && waits() ? from_ : ~uint64_t{0}; }
    /// Grant the bus in this tick; return the core that gets it, or `nobody`.
    unsigned grant(uint64_t tick) {
        if (!count_ || owner_ != nobody || tick < from_)
            return nobody;
        for (unsigned n = 1; n <= waiting_.size(); ++n) {
            const unsigned core = (last_ + n) % waiting_.size();
            if (!waiting_[core].waits)
                continue;
            waiting_[core].waits = false;
            --count_;
            return last_ = owner_ = core;
        }
        return nobody;
    }
    const Access &of(unsigned core) const { return waiting_[core]; }

  private:
    std::vector<Access> waiting_;
    unsigned count_ = 0; ///< that wait
    unsigned last_, owner_ = nobody;
    uint64_t from_ = 0;
};

} // namespace mcpi::exact
