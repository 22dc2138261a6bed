// SPDX-License-Identifier: BSD-2-Clause
// Stage D: the instruction issues, waits, or comes anew after a cold start.
#include "core.h"

#include "alpha/opcode.h"
#include "alpha/operate.h"

namespace mcpi::exact {
namespace {

using memory::Arrival;
using memory::Kind;
using memory::Step;
using pipeline::Maker;
using Access = Instruction::Access;
using Flow = Instruction::Flow;

constexpr unsigned iccsr = 0x22; // as HW_MTPR names it

} // namespace

/// The instruction is there.
void Core::stageD() {
    if (!arrived_)
        instructionArrived();
    const Instruction &i = instruction_;
    barred_ = false;
    if (i.access != Access::none)
        addressed();
    operands();
    if (traps())
        return;
    if (step_.what == Step::What::cold)
        return waitsCold();
    if (holds()) {
        run_.owner = owner();
        prediction_.waits();
        ends(nullptr);
    } else if (i.aligned && address_ % i.bytes) { // known when nothing else holds it
        trapsItself();
    } else if (barred_) {
        barredTrap();
    } else {
        issue();
    }
}

/// It waits until nothing is under way; then the caches are emptied and it comes anew.
void Core::waitsCold() {
    const uint64_t tick = memory_.now();
    const bool may = tick >= checked_, starts = may && quiet_;
    run_.owner = may ? Owner::barrier : Owner::multiply;
    quiet_ = may && memory_.frontQuiet() && !memory_.holds(step_) && !memory_.undrained() &&
             device_ == Io::none && tick >= ioDone_;
    prediction_.waits();
    ends(starts ? &step_ : nullptr);
    if (!starts)
        return;
    run_.events |= coldStart;
    cold_.reset();
    fetched_.empty();
    before_.block = memory::noBlock;
    wants(Arrival::cold);
}

void Core::issue() {
    const uint64_t tick = step_.tick;
    const Instruction &i = instruction_;
    const pipeline::Decoded &d = i.decoded;
    run_.owner = Owner::issue;
    retirement_.issues();
    run_.pc = cpu_.programCounter();
    if (translates_)
        uses();
    if (cold_ && *cold_ == step_.pc) // asked for too late
        cold_.reset();
    if (watched_)
        issued_ = {step_, address_, i.access == Access::store, d.target, value(d.target)};
    ends(&step_);
    const bool loads = i.access == Access::load && step_.kind == Kind::load;
    if (loads) {
        ++loads_;
        loaded_ = true;
        retirement_.loads();
    }
    if (d.target != 31) {
        const Register &old = registers_[d.target];
        const bool moved = i.moves && old.maker == Maker::load && old.at + 1 == tick;
        registers_[d.target] = {tick, d.maker, loads_, moved};
        if (d.maker == Maker::load && step_.kind != Kind::load)
            registers_[d.target].maker = Maker::old; // of a device: it waits for it anyway
    }
    if (i.multiplies) {
        const uint64_t ticks = latencies_.product(d);
        earlier_ = product_;
        product_ = {tick + ticks, d.target};
        multiplier_ = product_.at - 2;
        if (d.target != 31) {
            registers_[d.target].at = product_.at;
            retirement_.multiplies();
        }
        if (i.overflows)
            checked_ = product_.at + 1;
    }
    const unsigned reg = i.word >> 21 & 31;
    const bool stores = i.access == Access::store;
    if (step_.kind == Kind::io)
        toDevice(tick, {step_.address, cpu_.r[reg], i.bytes, stores ? 31 : reg, stores});
    else if (step_.kind == Kind::conditional && step_.address >> 32)
        ioDone_ = tick + 2; // in stage E1 it looks like any access to a device
    leaveStageD();
}

/// A CMOV that leaves its register as it is.
bool Core::keeps() const {
    const Instruction &i = instruction_;
    uint64_t result;
    return i.moves && alpha::operate(i.word >> 26, i.word >> 5 & 0x7F, cpu_.r[i.word >> 21 & 31], 0,
                                     result) == alpha::Outcome::keep;
}

/// It is executed, and something follows it.
void Core::leaveStageD() {
    const Instruction &i = instruction_;
    const uint64_t tick = step_.tick, pc = cpu_.pc;
    const bool wasPal = cpu_.palMode;
    const uint64_t tested = cpu_.r[i.word >> 21 & 31];
    const bool writes = !i.multiplies && i.access == Access::none && !keeps();
    if (!execute()) {
        overflow_ = i.multiplies ? checked_ : tick + 1;
        ofPal_ = wasPal;
    }
    if (cpu_.waitMask)
        waitFrom_ = tick + 1;
    if (i.word >> 26 == alpha::opcode::HW_MTPR && (i.word & 0xFF & iccsr) == iccsr && i.word & 0x20)
        prediction_.control(cpu_.internal.iccsr);
    if (writes)
        late_.writes(i.decoded.target);
    step_.penalty.reset();
    step_.followed = false;
    if (i.flow == Flow::none)
        return wants(Arrival::sequential);
    if (i.flow == Flow::pal) {
        palAt_ = tick + 2;
        palNext_ = cpu_.palMode;
        redirection_ = Owner::exception;
        step_.penalty = prediction_.penalty();
        refillEnds();
        return wants(Arrival::redirected);
    }
    const bool taken = i.flow != Flow::conditional || alpha::branchTaken(i.word >> 26, tested);
    if (taken)
        later_ |= bit(Event::takenBranches);
    redirection_ = Owner::takenBubble;
    step_.penalty = prediction_.penalty();
    if (prediction_.on()) {
        const bool right = taken ? guess_ && *guess_ == cpu_.pc : !guess_;
        prediction_.issues(i, pc);
        prediction_.learns(i, fetchedWord(), !right);
        if (right) {
            step_.penalty = taken ? prediction_.right(tick - came_) : 0;
            step_.followed = taken;
        } else {
            later_ |= bit(Event::mispredicts);
            redirection_ = Owner::mispredict;
            return wants(Arrival::redirected);
        }
    }
    wants(taken ? Arrival::redirected : Arrival::sequential);
}

} // namespace mcpi::exact
