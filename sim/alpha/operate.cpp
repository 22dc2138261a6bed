// SPDX-License-Identifier: BSD-2-Clause
#include "operate.h"

#include "machines/instructions.h"

namespace mcpi::alpha {
namespace {

/// Bytes whose bit in `mask` is set keep their value, the others become zero.
uint64_t keepBytes(uint64_t x, unsigned mask) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < 8; ++i)
        if (mask >> i & 1)
            bits |= uint64_t{0xFF} << (8 * i);
    return x & bits;
}

Outcome conditional(bool holds, uint64_t b, uint64_t &result) {
    result = b;
    return holds ? Outcome::value : Outcome::keep;
}

Outcome arithmetic(unsigned function, uint64_t a, uint64_t b, uint64_t &result) {
    const auto sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
    int32_t long32;
    int64_t long64;
    switch (function) {
    case function::ADDL:
        result = sext32(a + b);
        break;
    case function::S4ADDL:
        result = sext32(4 * a + b);
        break;
    case function::SUBL:
        result = sext32(a - b);
        break;
    case function::S4SUBL:
        result = sext32(4 * a - b);
        break;
    case function::CMPBGE:
        result = 0;
        for (unsigned i = 0; i < 8; ++i)
            if ((a >> (8 * i) & 0xFF) >= (b >> (8 * i) & 0xFF))
                result |= uint64_t{1} << i;
        break;
    case function::S8ADDL:
        result = sext32(8 * a + b);
        break;
    case function::S8SUBL:
        result = sext32(8 * a - b);
        break;
    case function::CMPULT:
        result = a < b;
        break;
    case function::ADDQ:
        result = a + b;
        break;
    case function::S4ADDQ:
        result = 4 * a + b;
        break;
    case function::SUBQ:
        result = a - b;
        break;
    case function::S4SUBQ:
        result = 4 * a - b;
        break;
    case function::CMPEQ:
        result = a == b;
        break;
    case function::S8ADDQ:
        result = 8 * a + b;
        break;
    case function::S8SUBQ:
        result = 8 * a - b;
        break;
    case function::CMPULE:
        result = a <= b;
        break;
    case function::CMPLT:
        result = sa < sb;
        break;
    case function::CMPLE:
        result = sa <= sb;
        break;
    case function::ADDL_V:
        result = sext32(a + b);
        return __builtin_add_overflow(static_cast<int32_t>(a), static_cast<int32_t>(b), &long32)
                   ? Outcome::overflow
                   : Outcome::value;
    case function::SUBL_V:
        result = sext32(a - b);
        return __builtin_sub_overflow(static_cast<int32_t>(a), static_cast<int32_t>(b), &long32)
                   ? Outcome::overflow
                   : Outcome::value;
    case function::ADDQ_V:
        result = a + b;
        return __builtin_add_overflow(sa, sb, &long64) ? Outcome::overflow : Outcome::value;
    case function::SUBQ_V:
        result = a - b;
        return __builtin_sub_overflow(sa, sb, &long64) ? Outcome::overflow : Outcome::value;
    default:
        return Outcome::illegal;
    }
    return Outcome::value;
}

Outcome logical(unsigned function, uint64_t a, uint64_t b, uint64_t &result) {
    const auto sa = static_cast<int64_t>(a);
    switch (function) {
    case function::AND:
        result = a & b;
        break;
    case function::BIC:
        result = a & ~b;
        break;
    case function::BIS:
        result = a | b;
        break;
    case function::ORNOT:
        result = a | ~b;
        break;
    case function::XOR:
        result = a ^ b;
        break;
    case function::EQV:
        result = a ^ ~b;
        break;
    case function::CMOVLBS:
        return conditional((a & 1) != 0, b, result);
    case function::CMOVLBC:
        return conditional((a & 1) == 0, b, result);
    case function::CMOVEQ:
        return conditional(sa == 0, b, result);
    case function::CMOVNE:
        return conditional(sa != 0, b, result);
    case function::CMOVLT:
        return conditional(sa < 0, b, result);
    case function::CMOVGE:
        return conditional(sa >= 0, b, result);
    case function::CMOVLE:
        return conditional(sa <= 0, b, result);
    case function::CMOVGT:
        return conditional(sa > 0, b, result);
    case function::AMASK:
        result = b;
        break; // AMASK: no extension is there, no bit is cleared
    case function::IMPLVER:
        result = 0;
        break; // IMPLVER: 0 names the EV4 family
    default:
        return Outcome::illegal;
    }
    return Outcome::value;
}

/// Bytes of the item an EXTxx, INSxx or MSKxx handles: bits 6 and 4 (0 byte, 1 word, 2 long, 3
/// quad).
unsigned itemMask(unsigned function) {
    static const unsigned masks[4] = {0x01, 0x03, 0x0F, 0xFF};
    return masks[function >> 4 & 3];
}

Outcome shift(unsigned function, uint64_t a, uint64_t b, uint64_t &result) {
    const unsigned byte = b & 7, item = itemMask(function);
    switch (function) {
    case function::SRL:
        result = a >> (b & 63);
        break;
    case function::SLL:
        result = a << (b & 63);
        break;
    case function::SRA:
        result = static_cast<uint64_t>(static_cast<int64_t>(a) >> (b & 63));
        break;
    case function::ZAP:
        result = keepBytes(a, ~b & 0xFF);
        break;
    case function::ZAPNOT:
        result = keepBytes(a, b & 0xFF);
        break;
    case function::EXTBL:
    case function::EXTWL:
    case function::EXTLL:
    case function::EXTQL: // EXTxL
        result = keepBytes(a >> (8 * byte), item);
        break;
    case function::EXTWH:
    case function::EXTLH:
    case function::EXTQH: // EXTxH
        result = keepBytes(a << ((64 - 8 * byte) & 63), item);
        break;
    case function::INSBL:
    case function::INSWL:
    case function::INSLL:
    case function::INSQL: // INSxL
        result = keepBytes(a << (8 * byte), item << byte & 0xFF);
        break;
    case function::INSWH:
    case function::INSLH:
    case function::INSQH: // INSxH: the part of the item past the quadword
        result = byte ? keepBytes(a >> (64 - 8 * byte), item << byte >> 8) : 0;
        break;
    case function::MSKBL:
    case function::MSKWL:
    case function::MSKLL:
    case function::MSKQL: // MSKxL
        result = keepBytes(a, ~(item << byte) & 0xFF);
        break;
    case function::MSKWH:
    case function::MSKLH:
    case function::MSKQH: // MSKxH
        result = keepBytes(a, ~(item << byte >> 8) & 0xFF);
        break;
    default:
        return Outcome::illegal;
    }
    return Outcome::value;
}

Outcome multiply(unsigned function, uint64_t a, uint64_t b, uint64_t &result) {
    const auto sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
    const int64_t product32 =
        static_cast<int64_t>(static_cast<int32_t>(a)) * static_cast<int32_t>(b);
    int64_t product64;
    switch (function) {
    case function::MULL:
        result = sext32(a * b);
        break;
    case function::MULQ:
        result = a * b;
        break;
    case function::UMULH:
        result = static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
        break;
    case function::MULL_V:
        result = sext32(a * b);
        return product32 != static_cast<int32_t>(product32) ? Outcome::overflow : Outcome::value;
    case function::MULQ_V:
        result = a * b;
        return __builtin_mul_overflow(sa, sb, &product64) ? Outcome::overflow : Outcome::value;
    default:
        return Outcome::illegal;
    }
    return Outcome::value;
}

} // namespace

Outcome operate(unsigned opcode, unsigned function, uint64_t a, uint64_t b, uint64_t &result) {
    switch (opcode) {
    case opcode::INTA:
        return arithmetic(function, a, b, result);
    case opcode::INTL:
        return logical(function, a, b, result);
    case opcode::INTS:
        return shift(function, a, b, result);
    case opcode::INTM:
        return multiply(function, a, b, result);
    default:
        return Outcome::illegal;
    }
}

} // namespace mcpi::alpha
