// SPDX-License-Identifier: BSD-2-Clause
// Initial values of registers and memories that nothing has written: zeros. MCPI_INITIAL=n makes
// them random, of seed n, in a program that was verilated for it (mcpi.hdl.verilator, `initial`).
#pragma once
#include <cstdlib>
#include <verilated.h>

namespace mcpi {

inline void beginAs(VerilatedContext &context) {
    const char *seed = std::getenv("MCPI_INITIAL");
    context.randReset(seed ? 2 : 0);
    if (seed)
        context.randSeed(std::atoi(seed));
}

} // namespace mcpi
