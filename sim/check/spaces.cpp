// SPDX-License-Identifier: BSD-2-Clause
#include "spaces.h"

#include "alpha/opcode.h"
#include "base/address.h"

namespace mcpi {
namespace {

using alpha::Translated;

constexpr unsigned ibox = 0x20, abox = 0x40, ps = 0x09; // of HW_MTPR
constexpr uint64_t modeBits = 3 << 3;

} // namespace

void Spaces::fetch(uint64_t pc, const memory::Hierarchy &cache, memory::Step &step) {
    step.pc = pc & physicalMask & ~uint64_t{3};
    step.line = memory::noLine;
    step.lost = false;
    fetched_ = {};
    const bool user = userStatus_ && !(pc & 1);
    if (pc & 1 || (pc >> 63 && !user))
        return;
    const uint64_t block = cache.blockOf(step.pc), offset = step.pc - cache.addressOf(block);
    for (const bool any : {false, true}) {
        const uint64_t line = memory::lineOf(block, user, any, translation_.space());
        if (pc >> 63 || !cache.hasLine(line))
            continue;
        step.line = line;
        step.pc = cache.addressOf(cache.physicalOf(line)) + offset;
        return;
    }
    fetched_ = translation_.fetch(pc & ~uint64_t{3}, user);
    step.lost = !fetched_.there();
    if (step.lost)
        return;
    step.line = memory::lineOf(block, user, fetched_.anySpace, translation_.space());
    step.pc = fetched_.physical;
}

void Spaces::fetchMissed() {
    if (fetched_.entry)
        translation_.usesInstruction(fetched_);
}

Translated Spaces::access(uint32_t instruction, bool pal, uint64_t address) const {
    const unsigned opcode = instruction >> 26;
    alpha::DataAccess access;
    access.user = userStatus_ && !pal;
    access.writes = opcode & 4; // of LDx and STx as of HW_LD and HW_ST
    access.reads = !access.writes;
    if (alpha::isPalAccess(instruction)) {
        if (instruction >> 15 & 1) { // physical
            Translated t;
            t.physical = address & physicalMask;
            return t;
        }
        access.user = instruction >> 14 & 1 && translation_.altUser();
        access.writes |= instruction >> 13 & 1;
    }
    return translation_.data(address, access);
}

void Spaces::written(uint32_t instruction, uint64_t value) {
    const unsigned index = instruction & 31;
    if (instruction & ibox)
        translation_.writeIbox(index, value);
    if (instruction & ibox && index == ps)
        userStatus_ = value & modeBits;
    if (instruction & abox)
        translation_.writeAbox(index, value);
}

} // namespace mcpi
