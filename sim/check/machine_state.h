// SPDX-License-Identifier: BSD-2-Clause
// Where a node stood when a run went wrong: registers and stack, for a back-trace.
#pragma once
#include <functional>
#include <string>

#include "alpha/cpu.h"
#include "check/program/program_guard.h"
#include "check/program/unwritten.h"

namespace mcpi {

/// `state.N.json`: `pc` (bit 0: PAL mode), `registers`, `stack_address` (physical, of the stack
/// pointer) and `stack`, quadwords from there on; what is not in RAM is left out. `quadword`: what
/// the program sees at a physical address. `guard`: how it went out of bounds, if it did; of a
/// stack that was left all that is in it is written. `unwritten`: what it has used that nobody
/// wrote.
void writeState(const std::string &folder, unsigned node, const alpha::Cpu &cpu,
                const std::function<uint64_t(uint64_t)> &quadword,
                const ProgramGuard *guard = nullptr, const Unwritten *unwritten = nullptr);

} // namespace mcpi
