// SPDX-License-Identifier: BSD-2-Clause
#include "quick.h"

#include "alpha/opcode.h"

namespace mcpi::exact {
namespace {

using Action = Quick::Action;
using Flow = Instruction::Flow;

Action action(const Instruction &i) {
    namespace op = alpha::opcode;
    const unsigned opcode = i.word >> 26;
    if (i.allowed != Instruction::For::all || i.kind != memory::Kind::other || i.conditional ||
        i.multiplies || i.overflows)
        return Action::other;
    switch (i.flow) {
    case Flow::conditional:
        return Action::conditional;
    case Flow::branch:
        return Action::branch;
    case Flow::jump:
        return Action::jump;
    case Flow::pal:
        return Action::other;
    default:
        break;
    }
    if (i.access != Instruction::Access::none)
        return i.access == Instruction::Access::load ? Action::load : Action::store;
    switch (opcode) {
    case op::LDA:
    case op::LDAH:
        return Action::add;
    case op::LDQ_U:
    case op::LDL:
    case op::LDQ:
        return Action::nothing;
    case op::INTA:
    case op::INTL:
    case op::INTS:
        return i.moves ? Action::move : Action::operate;
    default:
        return Action::other;
    }
}

} // namespace

Quick quick(uint32_t word, uint32_t tag) {
    const Instruction i(word);
    Quick q;
    q.word = word;
    q.tag = tag;
    q.action = action(i);
    q.a = i.decoded.a.reg;
    q.b = i.decoded.b.reg;
    q.target = i.decoded.target;
    q.aUse = static_cast<uint8_t>(i.decoded.a.use);
    q.bUse = static_cast<uint8_t>(i.decoded.b.use);
    q.maker = static_cast<uint8_t>(i.decoded.maker);
    q.mask = (i.bytes - 1) & 7;
    q.aligned = i.aligned;
    q.locks = i.locks;
    return q;
}

} // namespace mcpi::exact
