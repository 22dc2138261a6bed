// SPDX-License-Identifier: BSD-2-Clause
// Virtual addresses: where instructions and data are, traps of both sides, the ticks of refills
// (docs/explanation/translation.md).
#include "base/error.h"
#include "base/text.h"
#include "core.h"

namespace mcpi::exact {
namespace {

using alpha::Translated;

[[noreturn]] void refuses(const char *what, uint64_t address) {
    throw RunError(std::string(what) + " (address " + hex(address) + ").");
}

} // namespace

/// Stage D wants the instruction at the program counter: the I-cache has its line, or the ITB says
/// where it is.
void Core::fetchesFrom() {
    step_.line = memory::noLine;
    step_.lost = false;
    if (cpu_.palMode)
        return;
    const bool user = cpu_.userMode(), mapped = !(cpu_.pc >> 63);
    if (!mapped && !user)
        return;
    if (ideal_)
        refuses("memory.ideal: the exact engine does not have it with mapped code", cpu_.pc);
    const uint64_t block = step_.pc / blockBytes_, offset = step_.pc % blockBytes_;
    const unsigned space = cpu_.translation().space();
    for (const bool any : {false, true}) {
        const uint64_t line = memory::lineOf(block, user, any, space);
        if (!mapped || !memory_.hasLine(line))
            continue;
        step_.line = line;
        step_.pc = memory_.physicalOf(line) * blockBytes_ + offset;
        return;
    }
    const Translated t = cpu_.translation().fetch(cpu_.pc, user);
    step_.lost = !t.there();
    if (step_.lost)
        return;
    step_.line = memory::lineOf(block, user, t.anySpace, space);
    step_.pc = t.physical;
}

/// Where an access of `glide` goes; nowhere, if only `step` knows.
uint64_t Core::reaches(uint32_t word, uint64_t address) {
    const Translated t = cpu_.translation().data(address, cpu_.dataAccess(word));
    return t.there() && !(t.mapped && (t.physical ^ address) & colours_) ? t.physical
                                                                         : uint64_t{1} << 40;
}

/// That access issues: it uses its entry.
void Core::usesMapped(uint32_t word) {
    cpu_.translation().usesData(cpu_.translation().data(address_, cpu_.dataAccess(word)));
}

/// A mapped block misses in the I-cache: it uses its entry.
void Core::fetchesMapped() {
    if (memory_.tickEvents().events & bit(Event::icacheMisses) && step_.line != memory::noLine)
        cpu_.translation().usesInstruction(cpu_.translation().fetch(cpu_.pc, cpu_.userMode()));
}

/// The fetch that is lost is so in this tick: no trap yet.
void Core::fetchMisses() {
    if (cpu_.translation().fetch(cpu_.pc, cpu_.userMode()).what == Translated::What::miss)
        run_.events |= bit(Event::itbRefillTicks);
}

/// The access of stage D's instruction: its physical address; else it is barred.
uint64_t Core::translated() {
    if (alpha::Cpu::isPhysical(instruction_.word))
        return physical(address_);
    const Translated t = cpu_.translation().data(address_, cpu_.dataAccess(instruction_.word));
    barred_ = !t.there();
    if (barred_)
        return 0;
    if (t.mapped && (t.physical ^ address_) & colours_ && !(t.physical >> 32))
        refuses("virtual and physical address choose different lines of the D-cache", address_);
    return t.physical;
}

/// The instruction issues: it uses its entries.
void Core::uses() {
    const Instruction &i = instruction_;
    if (i.access != Instruction::Access::none && !alpha::Cpu::isPhysical(i.word))
        cpu_.translation().usesData(cpu_.translation().data(address_, cpu_.dataAccess(i.word)));
    if (i.word == 0x30) // CALL_PAL SWPCTX
        run_.events |= bit(Event::contextSwitches);
}

/// ITB_MISS or ITB_ACV, in the place of an instruction.
void Core::lostTrap() {
    const auto what = cpu_.translation().fetch(cpu_.pc, cpu_.userMode()).what;
    const bool misses = what == Translated::What::miss;
    const uint64_t pc = cpu_.programCounter(), tick = step_.tick;
    trapTo(misses ? alpha::vectorFetchMiss : alpha::vectorFetchFault, pc);
    if (misses)
        refills(bit(Event::itbMisses), bit(Event::itbRefillTicks), tick - 1);
    else
        run_.events |= bit(Event::translationFaults);
}

/// DTB_MISS or D_FAULT: the instruction-set model knows which.
void Core::barredTrap() {
    const auto what = cpu_.translation().data(address_, cpu_.dataAccess(instruction_.word)).what;
    const bool pal = cpu_.palMode;
    const uint64_t tick = step_.tick;
    trapsItself();
    if (what == Translated::What::fault)
        run_.events |= bit(Event::translationFaults);
    else if (pal)
        run_.events |= bit(Event::dtbMisses);
    else
        refills(bit(Event::dtbMisses), bit(Event::dtbRefillTicks), tick);
}

/// A refill, whose first tick was `from`, is under way.
void Core::refills(Events miss, Events ticks, uint64_t from) {
    run_.events |= miss | ticks;
    const uint64_t back = 1 + prediction_.penalty();
    refill_ = {ticks, from + floor_ > back ? from + floor_ - back : 0, never};
}

/// HW_REI issues.
void Core::refillEnds() {
    if (refill_.ticks && !cpu_.palMode)
        refill_.last = step_.tick + prediction_.penalty();
}

} // namespace mcpi::exact
