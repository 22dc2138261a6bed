// SPDX-License-Identifier: BSD-2-Clause
#include "unknown_bits.h"

#include "alpha/opcode.h"
#include "alpha/operate.h"
#include "machines/instructions.h"

namespace mcpi {
namespace {

constexpr uint64_t everyBit = ~uint64_t{0}, signBit = uint64_t{1} << 63;

uint64_t unknownOfDifference(Bits a, Bits b) {
    return ((a.least() - b.most()) ^ (a.most() - b.least())) | a.unknown | b.unknown;
}

/// Bits from the lowest of `x` on.
uint64_t upwards(uint64_t x) {
    return x | (0 - x);
}

Bits shifted(Bits a, unsigned by) {
    return {a.value << by, a.unknown << by};
}

/// With its sign as the highest bit of a number without one.
Bits ordered(Bits a) {
    return {a.value ^ signBit, a.unknown};
}

uint64_t below(Bits a, Bits b) {
    return a.most() < b.least() || a.least() >= b.most() ? 0 : 1;
}

uint64_t belowOrSame(Bits a, Bits b) {
    return a.most() <= b.least() || a.least() > b.most() ? 0 : 1;
}

uint64_t same(Bits a, Bits b) {
    const uint64_t unknown = a.unknown | b.unknown;
    return unknown && !((a.value ^ b.value) & ~unknown) ? 1 : 0;
}

uint64_t bytesNotBelow(Bits a, Bits b) {
    uint64_t unknown = 0;
    for (unsigned i = 0; i < 8; ++i) {
        const auto byte = [i](Bits x) {
            return Bits{x.value >> (8 * i) & 0xFF, x.unknown >> (8 * i) & 0xFF};
        };
        unknown |= below(byte(a), byte(b)) << i;
    }
    return unknown;
}

uint64_t ofArithmetic(unsigned function, Bits a, Bits b) {
    using namespace alpha::function;
    switch (function) {
    case ADDL:
    case ADDL_V:
        return extended(unknownOfSum(a, b));
    case S4ADDL:
        return extended(unknownOfSum(shifted(a, 2), b));
    case S8ADDL:
        return extended(unknownOfSum(shifted(a, 3), b));
    case SUBL:
    case SUBL_V:
        return extended(unknownOfDifference(a, b));
    case S4SUBL:
        return extended(unknownOfDifference(shifted(a, 2), b));
    case S8SUBL:
        return extended(unknownOfDifference(shifted(a, 3), b));
    case ADDQ:
    case ADDQ_V:
        return unknownOfSum(a, b);
    case S4ADDQ:
        return unknownOfSum(shifted(a, 2), b);
    case S8ADDQ:
        return unknownOfSum(shifted(a, 3), b);
    case SUBQ:
    case SUBQ_V:
        return unknownOfDifference(a, b);
    case S4SUBQ:
        return unknownOfDifference(shifted(a, 2), b);
    case S8SUBQ:
        return unknownOfDifference(shifted(a, 3), b);
    case CMPBGE:
        return bytesNotBelow(a, b);
    case CMPEQ:
        return same(a, b);
    case CMPULT:
        return below(a, b);
    case CMPULE:
        return belowOrSame(a, b);
    case CMPLT:
        return below(ordered(a), ordered(b));
    case CMPLE:
        return belowOrSame(ordered(a), ordered(b));
    default:
        return 0;
    }
}

/// The branch whose condition a CMOV has; 0: it is none.
unsigned branchOf(unsigned function) {
    using namespace alpha::opcode;
    using namespace alpha::function;
    switch (function) {
    case CMOVLBS:
        return BLBS;
    case CMOVLBC:
        return BLBC;
    case CMOVEQ:
        return BEQ;
    case CMOVNE:
        return BNE;
    case CMOVLT:
        return BLT;
    case CMOVGE:
        return BGE;
    case CMOVLE:
        return BLE;
    case CMOVGT:
        return BGT;
    default:
        return 0;
    }
}

uint64_t ofAnd(Bits a, Bits b) {
    return (a.unknown | b.unknown) & a.most() & b.most();
}

uint64_t ofLogic(unsigned function, Bits a, Bits b, Bits before) {
    using namespace alpha::function;
    const Bits notA{~a.value, a.unknown}, notB{~b.value, b.unknown};
    switch (function) {
    case AND:
        return ofAnd(a, b);
    case BIC:
        return ofAnd(a, notB);
    case BIS: // the zeros are those of an AND
        return ofAnd(notA, notB);
    case ORNOT:
        return ofAnd(notA, b);
    case XOR:
    case EQV:
        return a.unknown | b.unknown;
    case AMASK:
        return b.unknown;
    default:
        break;
    }
    const unsigned branch = branchOf(function);
    if (!branch)
        return 0;
    if (!decided(branch, a))
        return b.unknown | before.unknown | (b.value ^ before.value);
    return alpha::branchTaken(branch, a.least()) ? b.unknown : before.unknown;
}

uint64_t ofShift(uint32_t word, Bits a, Bits b) {
    using namespace alpha::function;
    const unsigned function = word >> 5 & 0x7F;
    const bool zaps = function == ZAP || function == ZAPNOT;
    const uint64_t counts = zaps                                                    ? 0xFF
                            : function == SRL || function == SLL || function == SRA ? 63
                                                                                    : 7;
    uint64_t unknown = 0;
    alpha::operate(word >> 26, function, a.unknown, b.value, unknown);
    if (!(b.unknown & counts))
        return unknown;
    if (!zaps)
        return everyBit;
    for (unsigned i = 0; i < 8; ++i)
        if (b.unknown >> i & 1)
            unknown |= (a.most() & uint64_t{0xFF} << (8 * i));
    return unknown;
}

uint64_t ofProduct(unsigned function, Bits a, Bits b) {
    using namespace alpha::function;
    const uint64_t unknown = a.unknown | b.unknown;
    if (!unknown || !a.most() || !b.most())
        return 0;
    if (function == UMULH)
        return everyBit;
    return function == MULL || function == MULL_V ? extended(upwards(unknown)) : upwards(unknown);
}

} // namespace

bool decided(unsigned opcode, Bits a) {
    using namespace alpha::opcode;
    const bool zeroKnown = a.known() || a.least();
    switch (opcode) {
    case BLBC:
    case BLBS:
        return !(a.unknown & 1);
    case BEQ:
    case BNE:
        return zeroKnown;
    case BLT:
    case BGE:
        return !(a.unknown & signBit);
    default: // BLE, BGT: of zero and of the least number one way
        return a.unknown & signBit ? !(a.most() & ~signBit) : zeroKnown;
    }
}

uint64_t unknownOfSum(Bits a, Bits b) {
    return ((a.least() + b.least()) ^ (a.most() + b.most())) | a.unknown | b.unknown;
}

uint64_t extended(uint64_t unknown) {
    return alpha::sext32(unknown);
}

uint64_t unknownOf(uint32_t word, Bits a, Bits b, Bits before) {
    using namespace alpha::opcode;
    const unsigned function = word >> 5 & 0x7F;
    switch (word >> 26) {
    case INTA:
        return ofArithmetic(function, a, b);
    case INTL:
        return ofLogic(function, a, b, before);
    case INTS:
        return ofShift(word, a, b);
    default:
        return ofProduct(function, a, b);
    }
}

} // namespace mcpi
