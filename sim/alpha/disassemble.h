// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <cstdint>
#include <string>

namespace mcpi::alpha {

/// An instruction in the assembler's notation; branch targets are absolute. `pc` is its address.
std::string disassemble(uint64_t pc, uint32_t instruction);

} // namespace mcpi::alpha
