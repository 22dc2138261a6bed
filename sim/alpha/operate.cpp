// SPDX-License-Identifier: BSD-2-Clause
#include "operate.h"

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
    case 0x00:
        result = sext32(a + b);
        break;
    case 0x02:
        result = sext32(4 * a + b);
        break;
    case 0x09:
        result = sext32(a - b);
        break;
    case 0x0B:
        result = sext32(4 * a - b);
        break;
    case 0x0F:
        result = 0;
        for (unsigned i = 0; i < 8; ++i)
            if ((a >> (8 * i) & 0xFF) >= (b >> (8 * i) & 0xFF))
                result |= uint64_t{1} << i;
        break;
    case 0x12:
        result = sext32(8 * a + b);
        break;
    case 0x1B:
        result = sext32(8 * a - b);
        break;
    case 0x1D:
        result = a < b;
        break;
    case 0x20:
        result = a + b;
        break;
    case 0x22:
        result = 4 * a + b;
        break;
    case 0x29:
        result = a - b;
        break;
    case 0x2B:
        result = 4 * a - b;
        break;
    case 0x2D:
        result = a == b;
        break;
    case 0x32:
        result = 8 * a + b;
        break;
    case 0x3B:
        result = 8 * a - b;
        break;
    case 0x3D:
        result = a <= b;
        break;
    case 0x4D:
        result = sa < sb;
        break;
    case 0x6D:
        result = sa <= sb;
        break;
    case 0x40:
        result = sext32(a + b);
        return __builtin_add_overflow(static_cast<int32_t>(a), static_cast<int32_t>(b), &long32)
                   ? Outcome::overflow
                   : Outcome::value;
    case 0x49:
        result = sext32(a - b);
        return __builtin_sub_overflow(static_cast<int32_t>(a), static_cast<int32_t>(b), &long32)
                   ? Outcome::overflow
                   : Outcome::value;
    case 0x60:
        result = a + b;
        return __builtin_add_overflow(sa, sb, &long64) ? Outcome::overflow : Outcome::value;
    case 0x69:
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
    case 0x00:
        result = a & b;
        break;
    case 0x08:
        result = a & ~b;
        break;
    case 0x20:
        result = a | b;
        break;
    case 0x28:
        result = a | ~b;
        break;
    case 0x40:
        result = a ^ b;
        break;
    case 0x48:
        result = a ^ ~b;
        break;
    case 0x14:
        return conditional((a & 1) != 0, b, result);
    case 0x16:
        return conditional((a & 1) == 0, b, result);
    case 0x24:
        return conditional(sa == 0, b, result);
    case 0x26:
        return conditional(sa != 0, b, result);
    case 0x44:
        return conditional(sa < 0, b, result);
    case 0x46:
        return conditional(sa >= 0, b, result);
    case 0x64:
        return conditional(sa <= 0, b, result);
    case 0x66:
        return conditional(sa > 0, b, result);
    case 0x61:
        result = b;
        break; // AMASK: no extension is there, no bit is cleared
    case 0x6C:
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
    case 0x34:
        result = a >> (b & 63);
        break;
    case 0x39:
        result = a << (b & 63);
        break;
    case 0x3C:
        result = static_cast<uint64_t>(static_cast<int64_t>(a) >> (b & 63));
        break;
    case 0x30:
        result = keepBytes(a, ~b & 0xFF);
        break;
    case 0x31:
        result = keepBytes(a, b & 0xFF);
        break;
    case 0x06:
    case 0x16:
    case 0x26:
    case 0x36: // EXTxL
        result = keepBytes(a >> (8 * byte), item);
        break;
    case 0x5A:
    case 0x6A:
    case 0x7A: // EXTxH
        result = keepBytes(a << ((64 - 8 * byte) & 63), item);
        break;
    case 0x0B:
    case 0x1B:
    case 0x2B:
    case 0x3B: // INSxL
        result = keepBytes(a << (8 * byte), item << byte & 0xFF);
        break;
    case 0x57:
    case 0x67:
    case 0x77: // INSxH: the part of the item past the quadword
        result = byte ? keepBytes(a >> (64 - 8 * byte), item << byte >> 8) : 0;
        break;
    case 0x02:
    case 0x12:
    case 0x22:
    case 0x32: // MSKxL
        result = keepBytes(a, ~(item << byte) & 0xFF);
        break;
    case 0x52:
    case 0x62:
    case 0x72: // MSKxH
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
    case 0x00:
        result = sext32(a * b);
        break;
    case 0x20:
        result = a * b;
        break;
    case 0x30:
        result = static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
        break;
    case 0x40:
        result = sext32(a * b);
        return product32 != static_cast<int32_t>(product32) ? Outcome::overflow : Outcome::value;
    case 0x60:
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
    case 0x10:
        return arithmetic(function, a, b, result);
    case 0x11:
        return logical(function, a, b, result);
    case 0x12:
        return shift(function, a, b, result);
    case 0x13:
        return multiply(function, a, b, result);
    default:
        return Outcome::illegal;
    }
}

} // namespace mcpi::alpha
