// SPDX-License-Identifier: BSD-2-Clause
// Facts about opcodes, which are the architecture and no model's opinion: sources/ev4.md 1.2, Alpha
// Architecture Handbook, ch. 4.
#pragma once
#include <cstdint>

#include "machines/instructions.h"
#include "memory/trace.h"

namespace mcpi::alpha {

constexpr unsigned opcodeOf(uint32_t instruction) {
    return instruction >> 26;
}

/// HW_LD, HW_ST.
constexpr bool isPalAccess(uint32_t instruction) {
    return opcodeOf(instruction) == opcode::HW_LD || opcodeOf(instruction) == opcode::HW_ST;
}

/// Bytes of memory that a load or store takes; LDL, LDL_L, and HW_LD and HW_ST without Q: four.
inline unsigned accessBytes(uint32_t instruction) {
    if (isPalAccess(instruction))
        return instruction >> 12 & 1 ? 8 : 4;
    return find(instruction)->bytes;
}

/// MB, WMB.
constexpr bool isBarrier(uint32_t instruction) {
    const unsigned low = instruction & 0xFFFF;
    return opcodeOf(instruction) == opcode::MISC && (low == function::MB || low == function::WMB);
}

/// HW_MTPR to Abox register `number`, which has five bits.
constexpr bool isMoveToAbox(uint32_t instruction, unsigned number) {
    return opcodeOf(instruction) == opcode::HW_MTPR && (instruction & 0xDF) == (0x40 | number);
}

/// The bytes that a load or store adds to its register: 12 bits in PAL's, 16 in the others.
constexpr int64_t displacement(uint32_t instruction) {
    const unsigned above = isPalAccess(instruction) ? 20 : 16;
    return static_cast<int32_t>(instruction << above) >> above;
}

/// True for a conditional branch with this opcode (38 to 3F hex) that is taken for `a`.
constexpr bool branchTaken(unsigned opcode, uint64_t a) {
    const auto number = static_cast<int64_t>(a);
    switch (opcode) {
    case opcode::BLBC:
        return (a & 1) == 0;
    case opcode::BEQ:
        return number == 0;
    case opcode::BLT:
        return number < 0;
    case opcode::BLE:
        return number <= 0;
    case opcode::BLBS:
        return (a & 1) != 0;
    case opcode::BNE:
        return number != 0;
    case opcode::BGE:
        return number >= 0;
    default:
        return number > 0;
    }
}

/// The memory system's kind of an instruction that neither loads nor stores.
constexpr memory::Kind kindOf(uint32_t instruction) {
    using memory::Kind;
    return opcodeOf(instruction) == opcode::HW_REI ? Kind::returns
           : isBarrier(instruction)                ? Kind::barrier
           : isMoveToAbox(instruction, 0x15)       ? Kind::flushFetch
           : isMoveToAbox(instruction, 0x17)       ? Kind::flushSpaces
                                                   : Kind::other;
}

} // namespace mcpi::alpha
