// SPDX-License-Identifier: BSD-2-Clause
// Facts that the scoreboard needs of an instruction word (core.md, What costs what).
#pragma once
#include <cstdint>

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

inline Decoded decode(uint32_t word) {
    const unsigned opcode = word >> 26;
    const uint8_t ra = word >> 21 & 31, rb = word >> 16 & 31;
    const unsigned function = word >> 5 & 0x7F;
    Decoded d;
    switch (opcode) {
    case 0x08: // LDA, LDAH
    case 0x09:
        d.b = {rb, Use::operate};
        d.target = ra;
        return d;
    case 0x0B: // loads
    case 0x1B:
    case 0x28:
    case 0x29:
    case 0x2A:
    case 0x2B:
        if (ra == 31) // does nothing
            return d;
        d.b = {rb, Use::address};
        d.target = ra;
        d.maker = Maker::load;
        return d;
    case 0x2E: // STx_C
    case 0x2F:
        d.target = ra;
        [[fallthrough]];
    case 0x0F: // stores
    case 0x1F:
    case 0x2C:
    case 0x2D:
        d.a = {ra, Use::data};
        d.b = {rb, Use::address};
        return d;
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x13:
        d.a = {ra, Use::operate};
        d.b = {word & 0x1000 ? uint8_t{31} : rb, Use::operate};
        d.target = word & 31;
        if (opcode == 0x13) {
            d.maker = Maker::product;
            d.quad = function & 0x30;
        } else if (opcode == 0x12 ||
                   (opcode == 0x11 && ((function & 0x0F) == 4 || (function & 0x0F) == 6))) {
            d.maker = Maker::shift; // of the logical ones: CMOVxx 14 16 24 26 44 46 64 66
        } else if (opcode == 0x10 && ((function & 0x0F) == 0x0D || function == 0x0F)) {
            d.maker = Maker::compare; // CMPxx 1D 2D 3D 4D 6D, CMPBGE
        }
        return d;
    case 0x18: // RPCC, RC, RS
        d.target = (word & 0xC000) == 0xC000 ? ra : 31;
        return d;
    case 0x19: // HW_MFPR
        d.target = ra;
        return d;
    case 0x1A: // jumps
        d.b = {rb, Use::address};
        d.target = ra;
        return d;
    case 0x1D: // HW_MTPR
        d.b = {rb, Use::operate};
        return d;
    case 0x30: // BR, BSR
    case 0x34:
        d.target = ra;
        return d;
    default:
        if (opcode >= 0x38)
            d.a = {ra, Use::test};
        return d;
    }
}

} // namespace mcpi::pipeline
