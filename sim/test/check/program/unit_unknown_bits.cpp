// SPDX-License-Identifier: BSD-2-Clause
// The bits of a result that nobody knows, against all values that the operands can have.
#include <random>
#include <vector>

#include "alpha/opcode.h"
#include "alpha/operate.h"
#include "check/program/unknown_bits.h"
#include "machines/instructions.h"
#include "test/check.h"

using namespace mcpi;

namespace {

using namespace alpha::opcode;
using namespace alpha::function;

const std::vector<unsigned> sums = {ADDL, S4ADDL, S8ADDL, ADDQ, S4ADDQ, S8ADDQ,
                                    SUBL, S4SUBL, S8SUBL, SUBQ, S4SUBQ, S8SUBQ};
const std::vector<unsigned> compares = {CMPBGE, CMPEQ, CMPULT, CMPULE, CMPLT, CMPLE};
const std::vector<unsigned> logic = {AND, BIC, BIS, ORNOT, XOR, EQV};
const std::vector<unsigned> moves = {CMOVLBS, CMOVLBC, CMOVEQ, CMOVNE,
                                     CMOVLT,  CMOVGE,  CMOVLE, CMOVGT};
const std::vector<unsigned> shifts = {
    SRL,   SLL,   SRA,   ZAP,   ZAPNOT, EXTBL, EXTWL, EXTLL, EXTQL, EXTWH, EXTLH, EXTQH, INSBL,
    INSWL, INSLL, INSQL, INSWH, INSLH,  INSQH, MSKBL, MSKWL, MSKLL, MSKQL, MSKWH, MSKLH, MSKQH};
const std::vector<unsigned> products = {MULL, MULQ, UMULH};

std::mt19937_64 dice(1);

/// A value with at most `most` bits that are not known.
Bits drawn(unsigned most) {
    static const uint64_t shapes[] = {~uint64_t{0}, 0xFF, 0x3F, 0xFFFFFFFF, 0, 1ull << 63};
    Bits found{dice() & shapes[dice() % 6], 0};
    for (unsigned n = dice() % (most + 1); n; --n)
        found.unknown |= uint64_t{1} << (dice() % 2 ? dice() % 64 : dice() % 8);
    return found;
}

/// The n-th of the values that it can have.
uint64_t filled(Bits bits, unsigned n) {
    uint64_t value = bits.least();
    for (uint64_t left = bits.unknown; left; left &= left - 1, n >>= 1)
        if (n & 1)
            value |= left & (0 - left);
    return value;
}

unsigned many(Bits bits) {
    return 1u << __builtin_popcountll(bits.unknown);
}

/// All bits that differ among the results. `before`: what the target held.
uint64_t differing(unsigned opcode, unsigned function, Bits a, Bits b, Bits before) {
    uint64_t any = 0, every = ~uint64_t{0};
    for (unsigned i = 0; i < many(a); ++i)
        for (unsigned j = 0; j < many(b); ++j)
            for (unsigned k = 0; k < many(before); ++k) {
                uint64_t result = 0;
                const auto outcome =
                    alpha::operate(opcode, function, filled(a, i), filled(b, j), result);
                if (outcome == alpha::Outcome::keep)
                    result = filled(before, k);
                any |= result;
                every &= result;
            }
    return any & ~every;
}

void check(unsigned opcode, const std::vector<unsigned> &functions, bool exact, bool amountKnown) {
    for (const unsigned function : functions)
        for (int n = 0; n < 3000; ++n) {
            const Bits a = drawn(4), before = opcode == INTL ? drawn(2) : Bits{};
            const Bits b = drawn(amountKnown ? 0 : 4);
            const uint32_t word = opcode << 26 | function << 5;
            const uint64_t said = unknownOf(word, a, b, before);
            const uint64_t is = differing(opcode, function, a, b, before);
            CHECK(!(is & ~said));
            CHECK(!exact || is == said);
            if (a.known() && b.known() && before.known())
                CHECK(!said);
        }
}

void checkBranches() {
    for (unsigned opcode = BLBC; opcode <= BGT; ++opcode)
        for (int n = 0; n < 3000 && opcode != BR && opcode != BSR; ++n) {
            const Bits a = drawn(6);
            bool taken = false, passed = false;
            for (unsigned i = 0; i < many(a); ++i)
                (alpha::branchTaken(opcode, filled(a, i)) ? taken : passed) = true;
            CHECK(decided(opcode, a) == (taken != passed));
        }
}

} // namespace

int main() {
    check(INTA, sums, false, false);
    check(INTA, compares, true, false);
    check(INTL, logic, true, false);
    check(INTL, moves, false, false);
    check(INTS, shifts, true, true);
    check(INTS, shifts, false, false);
    check(INTM, products, false, false);
    checkBranches();
    CHECK(extended(0x80000000) == 0xFFFFFFFF80000000 && extended(0x7F) == 0x7F);
    return 0;
}
