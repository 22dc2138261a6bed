// SPDX-License-Identifier: BSD-2-Clause
// Effects of an instruction as it issues.
#include "core.h"

#include "alpha/operate.h"

namespace mcpi::exact {
namespace {

using memory::Kind;

} // namespace

/// False: its result has overflowed.
bool Core::execute() {
    const Instruction &i = instruction_;
    if (step_.kind == Kind::conditional) {
        conditional_ = {i.word >> 21 & 31, cpu_.r[i.word >> 21 & 31], step_.address, i.bytes, true};
        cpu_.pc = alpha::place(cpu_.pc, 4);
        ++cpu_.executed;
        return true;
    }
    if (step_.kind == Kind::store || step_.kind == Kind::load) {
        const unsigned reg = i.word >> 21 & 31;
        if (step_.kind == Kind::load)
            loading_ = {reg, step_.address, i.bytes, true};
        else
            stored_.push_back({step_.address, cpu_.r[reg], i.bytes, false});
        if (step_.kind == Kind::store)
            issuedStore_ = step_.tick;
        cpu_.pc = alpha::place(cpu_.pc, 4);
        ++cpu_.executed;
        return true;
    }
    if (!i.overflows) {
        cpu_.execute(i.word);
        return true;
    }
    // Its trap comes later.
    const uint64_t a = cpu_.r[i.word >> 21 & 31];
    const uint64_t b = i.word >> 12 & 1 ? i.word >> 13 & 0xFF : cpu_.r[i.word >> 16 & 31];
    uint64_t result = 0;
    const auto outcome = alpha::operate(i.word >> 26, i.word >> 5 & 0x7F, a, b, result);
    if (i.decoded.target != 31)
        cpu_.r[i.decoded.target] = result;
    cpu_.pc = alpha::place(cpu_.pc, 4);
    ++cpu_.executed;
    return outcome != alpha::Outcome::overflow;
}

/// The core's own access is late: `answered` does it. Where no memory is, any value is right.
bool Core::read(uint64_t, unsigned, uint64_t &value) {
    value = 0;
    return true;
}
bool Core::write(uint64_t, unsigned, uint64_t) {
    return true;
}
/// HIRR is read in stage E1; it has the lines of the tick before, that of the issue.
uint64_t Core::interrupts() {
    return io_->lines(step_.tick);
}
/// RPCC reads the count of its issue, HW_MFPR that of stage E1 (core.md, PAL and traps).
uint64_t Core::cycles() {
    const uint64_t tick = step_.tick + (instruction_.word >> 26 != alpha::opcode::MISC);
    const Count &c = tick < countFrom_ ? countBefore_ : count_;
    return c.runs ? tick - c.zero : c.value;
}
/// From the tick after stage E1 on.
void Core::setCycles(uint32_t count, bool counting) {
    countBefore_ = count_;
    countFrom_ = step_.tick + 2;
    count_ = {countFrom_ - count, count, counting};
}

} // namespace mcpi::exact
