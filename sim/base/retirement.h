// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <cstdint>

#include "machines/instructions.h"

namespace mcpi {

/// An instruction as the RTL's retire port gives it (rtl/counters/RetirePort.scala).
struct Retirement {
    uint64_t pc; ///< bit 0: PAL mode
    uint32_t instruction;
    bool writes;
    unsigned reg;
    uint64_t value;
    bool memory, store, io;
    uint64_t address, storeData;
    bool iMiss, dMiss; ///< its fetch, its load missed the cache
};

inline bool isLoadLocked(uint32_t instruction) {
    return instruction >> 27 == alpha::opcode::LDL_L >> 1;
}

/// STL_C, STQ_C. If `writes` is low, `value` does not tell whether it stored.
inline bool isStoreConditional(uint32_t instruction) {
    return instruction >> 27 == alpha::opcode::STL_C >> 1;
}

} // namespace mcpi
