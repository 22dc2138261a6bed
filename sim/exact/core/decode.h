// SPDX-License-Identifier: BSD-2-Clause
// Facts that the scoreboard needs of an instruction word (core.md, What costs what).
#pragma once
#include <cstdint>

#include "machines/instructions.h"

namespace mcpi::pipeline {

/// Maker of a register's value; `old`: it has long been there.
enum class Maker : uint8_t { old, plain, compare, shift, load, product };

/// Use that a register is wanted for.
enum class Use : uint8_t { operate, address, test, data };

struct Source {
    uint8_t reg = 31;
    Use use = Use::operate;
};

struct Decoded {
    Source a, b;
    uint8_t target = 31;
    Maker maker = Maker::plain;
    bool quad = false; ///< of a multiply: MULQ, UMULH
};

/// The maker of an operate instruction's result.
inline Maker makerOf(uint32_t word) {
    using alpha::Group;
    if (word >> 26 == alpha::opcode::INTM)
        return Maker::product;
    if (word >> 26 == alpha::opcode::INTS)
        return Maker::shift;
    const alpha::Encoding *const row = alpha::find(word);
    return !row                           ? Maker::plain
           : row->group == Group::move    ? Maker::shift
           : row->group == Group::compare ? Maker::compare
                                          : Maker::plain;
}

/// By the opcode alone an instruction waits for registers, if its function is illegal too.
inline Decoded decode(uint32_t word) {
    namespace op = alpha::opcode;
    const unsigned opcode = word >> 26;
    const uint8_t ra = word >> 21 & 31, rb = word >> 16 & 31;
    Decoded d;
    switch (opcode) {
    case op::LDA:
    case op::LDAH:
        d.b = {rb, Use::operate};
        d.target = ra;
        return d;
    case op::LDQ_U:
    case op::HW_LD:
    case op::LDL:
    case op::LDQ:
    case op::LDL_L:
    case op::LDQ_L:
        if (ra == 31) // does nothing
            return d;
        d.b = {rb, Use::address};
        d.target = ra;
        d.maker = Maker::load;
        return d;
    case op::STL_C:
    case op::STQ_C:
        d.target = ra;
        [[fallthrough]];
    case op::STQ_U:
    case op::HW_ST:
    case op::STL:
    case op::STQ:
        d.a = {ra, Use::data};
        d.b = {rb, Use::address};
        return d;
    case op::INTA:
    case op::INTL:
    case op::INTS:
    case op::INTM:
        d.a = {ra, Use::operate};
        d.b = {word & 0x1000 ? uint8_t{31} : rb, Use::operate};
        d.target = word & 31;
        d.maker = makerOf(word);
        d.quad = d.maker == Maker::product && (word >> 5 & 0x30) != 0;
        return d;
    case op::MISC: // RPCC, RC, RS
        d.target = (word & 0xC000) == 0xC000 ? ra : 31;
        return d;
    case op::HW_MFPR:
        d.target = ra;
        return d;
    case op::JUMP:
        d.b = {rb, Use::address};
        d.target = ra;
        return d;
    case op::HW_MTPR:
        d.b = {rb, Use::operate};
        return d;
    case op::BR:
    case op::BSR:
        d.target = ra;
        return d;
    default:
        if (opcode >= op::BLBC)
            d.a = {ra, Use::test};
        return d;
    }
}

} // namespace mcpi::pipeline
