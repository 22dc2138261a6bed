// SPDX-License-Identifier: BSD-2-Clause
#include "program_guard.h"

#include <cinttypes>

#include "base/error.h"
#include "base/text.h"
#include "machines/instructions.h"

namespace mcpi {
namespace {

using namespace alpha::opcode;

constexpr unsigned sp = 30, zero = 31;
// GCC stores a zero into each page of a large frame: by way of t8, 8 KB below what that holds; of
// an array whose size is known late, the first one half a page below the stack pointer.
constexpr unsigned frameProbe = 22;
constexpr uint64_t page = 8192, half = 4096;

uint32_t wordAt(const alpha::Cpu &cpu, uint64_t pc) {
    const uint64_t at = pc & physicalMask & ~uint64_t{3};
    return at + 4 <= cpu.ram().size() ? static_cast<uint32_t>(cpu.ram().get(at, 4)) : 0;
}

/// sp = sp + something, as a frame is made: not another stack.
bool movesStackPointer(uint32_t word) {
    const unsigned op = word >> 26, a = word >> 21 & 31, b = word >> 16 & 31, c = word & 31;
    if (op == LDA || op == LDAH)
        return a == sp && b == sp;
    return op == INTA && c == sp && a == sp;
}

bool copies(uint32_t word) {
    return word >> 26 == INTL && (word & 31) == sp;
}

} // namespace

ProgramGuard::ProgramGuard(const std::string &file) {
    for (const auto &[what, range] : rangesOf(file)) {
        if (what == "stack")
            stack_ = range;
        else if (what == "code")
            code_ = range;
        else if (what == "data")
            data_.push_back(range);
        else
            throw UserError(file + ": stack, code or data is wanted, not '" + what + "'.");
    }
}

void ProgramGuard::executed(uint64_t pc, const alpha::Cpu &after) {
    if (pc & 1 || found_)
        return;
    if (after.r[sp] != sp_)
        stackPointer(pc, after);
    else if (lowers_ && !found_)
        found_ = {"stack", *lowers_, sp_};
    const uint64_t next = alpha::place(after.pc);
    if (!found_ && !after.palMode && !code_.has(next))
        found_ = {"jump", pc, after.pc};
}

/// A frame or an array is made, not another stack chosen.
bool ProgramGuard::leavesStack(uint32_t word, uint64_t now) const {
    if (movesStackPointer(word))
        return true;
    return copies(word) && now < sp_ && (sp_ - now < page || probe_.address == now);
}

/// A frame is made in two steps if it is large; the stack has been left if it has after both.
void ProgramGuard::stackPointer(uint64_t pc, const alpha::Cpu &after) {
    const uint64_t now = after.r[sp];
    const bool inside = sp_ >= stack_.from && sp_ <= stack_.to;
    copied_ = inside && now < stack_.from && copies(wordAt(after, pc)) ? now : 0;
    if (now >= stack_.from || !leavesStack(wordAt(after, pc), now))
        lowers_.reset();
    else if (!lowers_ && inside)
        lowers_ = pc;
    sp_ = now;
}

void ProgramGuard::accesses(uint64_t pc, const alpha::Cpu &after, bool stores, uint64_t address) {
    if (pc & 1 || found_)
        return;
    const uint64_t size = stack_.to - stack_.from;
    if (address < stack_.from + page && address + size >= stack_.from &&
        isBelow(pc, after, address)) {
        found_ = {"stack", pc, address};
        return;
    }
    for (const Range &range : data_)
        if (range.has(address))
            return;
    const bool prefetches = !stores && (wordAt(after, pc) >> 21 & 31) == zero;
    if (!prefetches)
        found_ = {stores ? "write" : "read", pc, address};
}

/// It accesses what is below the stack by way of its pointer, or probes it.
bool ProgramGuard::isBelow(uint64_t pc, const alpha::Cpu &after, uint64_t address) {
    const uint32_t word = wordAt(after, pc);
    const unsigned base = word >> 16 & 31;
    const bool below = address < stack_.from,
               zeroes = word >> 26 == STQ && (word >> 21 & 31) == zero;
    const Probe before = probe_;
    if (zeroes)
        probe_ = {pc, address};
    if (!below)
        return false;
    const uint64_t from = after.r[base];
    const bool fromStack = from >= stack_.from && from <= stack_.to + half;
    if (fromStack && (base == sp || (zeroes && base == frameProbe)))
        return true;
    const bool goesOn = before.pc == pc && before.address == address + page;
    const bool begins = address + half == after.r[sp] && after.r[sp] >= stack_.from;
    return zeroes && ((goesOn && before.address >= stack_.from) || begins || address == copied_);
}

void ProgramGuard::check(unsigned node) const {
    if (found_)
        throw RunError(text("node %u: the program is out of bounds: %s at pc %" PRIx64
                            ", address %" PRIx64 ".",
                            node, found_->kind, found_->pc, found_->address));
}

} // namespace mcpi
