// SPDX-License-Identifier: BSD-2-Clause
// Where a node stood when a run went wrong: registers and stack, for a back-trace.
#pragma once
#include <string>

#include "models/alpha/cpu.h"

namespace mcpi {

/// `state.N.json`: `pc` (bit 0: PAL mode), `registers`, `stack_address` (physical, of the stack
/// pointer) and `stack`, quadwords from there on; what is not in RAM is left out.
void writeState(const std::string &folder, unsigned node, const alpha::Cpu &cpu);

} // namespace mcpi
