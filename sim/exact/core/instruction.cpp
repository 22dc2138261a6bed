// SPDX-License-Identifier: BSD-2-Clause
#include "instruction.h"

#include "alpha/opcode.h"
#include "alpha/operate.h"

namespace mcpi::exact {
namespace {

using For = Instruction::For;
using Flow = Instruction::Flow;

For allowed(uint32_t word) {
    const unsigned opcode = word >> 26, function = word & 0x3FFFFFF;
    uint64_t result;
    switch (opcode) {
    case 0x00:
        return function <= 0x3F                       ? For::kernel
               : function >= 0x80 && function <= 0xBF ? For::all
                                                      : For::nobody;
    case 0x08:
    case 0x09:
    case 0x0B:
    case 0x0F:
    case 0x1A:
    case 0x30:
    case 0x34:
        return For::all;
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x13:
        return alpha::operate(opcode, word >> 5 & 0x7F, 0, 0, result) == alpha::Outcome::illegal
                   ? For::nobody
                   : For::all;
    case 0x18:
        switch (word & 0xFFFF) {
        case 0x0000:
        case 0x0400:
        case 0x4000:
        case 0x4400:
        case 0x8000:
        case 0xA000:
        case 0xC000:
        case 0xE000:
        case 0xF000:
            return For::all;
        default:
            return For::nobody;
        }
    case 0x19:
    case 0x1B:
    case 0x1D:
    case 0x1E:
    case 0x1F:
        return For::pal;
    default:
        return opcode < 0x28 || (opcode >= 0x30 && opcode < 0x38) ? For::nobody : For::all;
    }
}

Flow flow(unsigned opcode) {
    return opcode == 0x00 || opcode == 0x1E   ? Flow::pal
           : opcode == 0x1A                   ? Flow::jump
           : opcode == 0x30 || opcode == 0x34 ? Flow::branch
           : opcode >= 0x38                   ? Flow::conditional
                                              : Flow::none;
}

} // namespace

Instruction::Instruction(uint32_t word)
    : word(word), decoded(pipeline::decode(word)), kind(alpha::kindOf(word)),
      allowed(exact::allowed(word)), flow(exact::flow(word >> 26)) {
    const unsigned opcode = word >> 26, function = word >> 5 & 0x7F;
    const bool pal = alpha::isPalAccess(word);
    const bool store = opcode == 0x0F || opcode == 0x1F || (opcode >= 0x2C && opcode <= 0x2F);
    const bool load = opcode == 0x0B || opcode == 0x1B || (opcode >= 0x28 && opcode <= 0x2B);
    if (store || (load && (word >> 21 & 31) != 31)) {
        access = store ? Access::store : Access::load;
        displacement = static_cast<int16_t>(alpha::displacement(word));
        bytes = (pal ? word >> 12 & 1 : opcode & 1) ? 8 : 4;
        locks = opcode == 0x2A || opcode == 0x2B;
        conditional = opcode == 0x2E || opcode == 0x2F;
        aligned = opcode >= 0x28;
    }
    multiplies = opcode == 0x13;
    overflows = (opcode == 0x10 || multiplies) &&
                (function == 0x40 || function == 0x49 || function == 0x60 || function == 0x69);
    moves = opcode == 0x11 && decoded.maker == pipeline::Maker::shift;
}

} // namespace mcpi::exact
