// SPDX-License-Identifier: BSD-2-Clause
// How long a register's value takes to whoever wants it (core.md, What costs what).
#pragma once
#include "base/machine.h"
#include "decode.h"

namespace mcpi::pipeline {

struct Latencies {
    explicit Latencies(const Machine &m)
        : loadUse(m.parameter("core.load_use")), shiftUse(m.parameter("core.shift_use")),
          compareUse(m.parameter("core.compare_use")), addressUse(m.parameter("core.agen_use")),
          mull(m.parameter("core.multiply_long")), mulq(m.parameter("core.multiply_quad")) {}

    /// Ticks from the issue of its maker to that of its user; 0: the maker does not decide.
    uint64_t distance(Maker maker, Use use) const {
        switch (maker) {
        case Maker::plain:
            return use == Use::address ? addressUse : 1;
        case Maker::compare:
            return use == Use::test || use == Use::data ? 1 : compareUse;
        case Maker::shift:
            return use == Use::data ? 1 : shiftUse;
        case Maker::load:
            return loadUse;
        default:
            return 0;
        }
    }
    uint64_t product(const Decoded &d) const { return d.quad ? mulq : mull; }

  private:
    uint64_t loadUse, shiftUse, compareUse, addressUse, mull, mulq;
};

} // namespace mcpi::pipeline
