// SPDX-License-Identifier: BSD-2-Clause
#include "instruction.h"

#include "alpha/opcode.h"

namespace mcpi::exact {
namespace {

using alpha::Encoding;
using alpha::Group;
using For = Instruction::For;
using Flow = Instruction::Flow;

For allowed(uint32_t word, const Encoding *row) {
    if (word >> 26 == alpha::opcode::CALL_PAL) { // each function has an entry in PALcode
        const unsigned function = word & 0x3FFFFFF;
        return function <= 0x3F                       ? For::kernel
               : function >= 0x80 && function <= 0xBF ? For::all
                                                      : For::nobody;
    }
    return !row ? For::nobody : row->mode == alpha::Mode::pal ? For::pal : For::all;
}

Flow flow(const Encoding *row) {
    if (!row)
        return Flow::none;
    switch (row->group) {
    case Group::call:
    case Group::returns:
        return Flow::pal;
    case Group::jump:
        return Flow::jump;
    case Group::branch:
        return Flow::branch;
    case Group::conditionalBranch:
        return Flow::conditional;
    default:
        return Flow::none;
    }
}

} // namespace

Instruction::Instruction(uint32_t word)
    : word(word), decoded(pipeline::decode(word)), kind(alpha::kindOf(word)) {
    const Encoding *const row = alpha::find(word);
    allowed = exact::allowed(word, row);
    flow = word >> 26 == alpha::opcode::CALL_PAL ? Flow::pal : exact::flow(row);
    multiplies = word >> 26 == alpha::opcode::INTM; // an illegal one waits for the multiplier too
    if (!row)
        return;
    const Group group = row->group;
    locks = group == Group::loadLocked;
    conditional = group == Group::storeConditional;
    const bool load = group == Group::load || locks;
    if (group == Group::store || conditional || (load && (word >> 21 & 31) != 31)) {
        access = load ? Access::load : Access::store;
        displacement = static_cast<int16_t>(alpha::displacement(word));
        bytes = row->bytes ? row->bytes : word >> 12 & 1 ? 8 : 4;
        aligned = !row->anyAlignment;
    }
    locks &= access == Access::load;
    overflows = row->overflow;
    moves = group == Group::move;
}

} // namespace mcpi::exact
