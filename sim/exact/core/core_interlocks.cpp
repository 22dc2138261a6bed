// SPDX-License-Identifier: BSD-2-Clause
// Conditions that an instruction in stage D waits for, and the owner of the tick meanwhile.
#include "core.h"

namespace mcpi::exact {
namespace {

using memory::Kind;
using memory::Step;
using memory::TickEvents;
using memory::Wait;
using pipeline::Maker;
using Access = Instruction::Access;

} // namespace

/// Owner of the ticks in which a value of this maker is waited for.
Owner Core::ownerOf(Maker maker) {
    switch (maker) {
    case Maker::compare:
        return Owner::compare;
    case Maker::shift:
        return Owner::shift;
    case Maker::load:
        return Owner::loadUse;
    case Maker::product:
        return Owner::multiply;
    default:
        return Owner::agen;
    }
}

/// Where it goes, as its register says in this tick: what a device answers comes late.
void Core::addressed() {
    const Instruction &i = instruction_;
    address_ = cpu_.r[i.word >> 16 & 31] + static_cast<uint64_t>(int64_t{i.displacement});
    step_.address = (translates_ ? translated() : physical(address_)) & ~uint64_t{i.bytes - 1u};
    step_.kind = i.conditional               ? Kind::conditional
                 : step_.address >> 32       ? Kind::io
                 : i.access == Access::store ? Kind::store
                                             : Kind::load;
}

/// List the needs of the instruction that are not there yet, in the order in which stage D asks.
void Core::operands() {
    const pipeline::Decoded &d = instruction_.decoded;
    needs_ = 0;
    need(d.a);
    need(d.b);
    if (d.target != 31) {
        const Register &old = registers_[d.target];
        if (old.maker == Maker::load && old.load == loads_)
            needsFill(); // it may not be written before the load has been
        if (old.maker == Maker::product) {
            const bool waits = d.target == product().reg && late_.productWaits();
            needsTick(waits ? never : old.at, Owner::multiply);
        }
    }
    if (d.maker == Maker::product)
        needsTick(multiplier_, Owner::multiply);
}

/// That the multiplier has, or has had last.
const Core::Late &Core::product() const {
    return memory_.now() < product_.at ? earlier_ : product_;
}

void Core::need(const pipeline::Source &source) {
    if (source.reg == 31)
        return;
    const Register &r = registers_[source.reg];
    if (r.maker == Maker::old)
        return;
    if (r.maker == Maker::load && r.load == loads_)
        needsFill();
    const uint64_t distance = latencies_.distance(r.maker, source.use);
    if (r.moved && distance < 2) // it may be the load's value all the same
        needsTick(r.at + 2, Owner::loadUse);
    needsTick(r.at + distance, ownerOf(r.maker));
}

void Core::needsFill() {
    if (memory_.loadFills())
        needed_[needs_++] = {never, true, Owner::dMiss};
}

void Core::needsTick(uint64_t from, Owner owner) {
    if (memory_.now() < from)
        needed_[needs_++] = {from, false, owner};
}

/// The first of them that is not there in this tick either.
const Core::Need *Core::firstNeed() const {
    for (unsigned i = 0; i < needs_; ++i)
        if (needed_[i].fill ? memory_.loadFills() : memory_.now() < needed_[i].from)
            return &needed_[i];
    return nullptr;
}

/// Why its tick passes without it.
Owner Core::owner() const {
    const Wait wait = memory_.why(step_);
    switch (wait) {
    case Wait::lost:
        return Owner::translation;
    case Wait::redirected:
        return redirection_;
    case Wait::trapped:
        return Owner::exception;
    case Wait::refilled:
        return Owner::refillRestart;
    case Wait::demand:
        return Owner::iDemand;
    case Wait::stream:
        return Owner::iStream;
    case Wait::bufferFull:
        return Owner::writeBufferFull;
    case Wait::io: // a STx_C to a device is an access from the tick after its decision on
        return memory_.tickEvents().has(TickEvents::storeConditionalDecided) ? Owner::barrier
                                                                             : Owner::io;
    default:
        break;
    }
    const uint64_t tick = memory_.now();
    if (device_ != Io::none || tick < ioDone_)
        return Owner::io;
    if (memory_.decides())
        return Owner::barrier;
    if (tick < checked_)
        return Owner::multiply;
    if (const Need *need = firstNeed())
        return need->owner;
    if (late_.crowded())
        return Owner::multiply;
    if (waitsForFloor())
        return Owner::translation;
    return wait == Wait::barrier ? Owner::barrier : Owner::memoryPort;
}

/// The instruction is in stage D: the next tick in which it may leave, or another thing holds it.
uint64_t Core::untilIssue(uint64_t tick) const {
    if (!holds() || step_.what == Step::What::cold || memory_.failed() ||
        (!cpu_.palMode && hirr_ & cpu_.internal.interruptEnable))
        return tick;
    uint64_t first = never;
    const auto until = [&first, tick](uint64_t at) {
        if (at > tick && at < first)
            first = at;
    };
    until(checked_);
    until(ioDone_);
    until(refill_.returns);
    for (unsigned i = 0; i < needs_; ++i)
        if (!needed_[i].fill)
            until(needed_[i].from);
    return first;
}

bool Core::holds() const {
    return device_ != Io::none || memory_.now() < ioDone_ || memory_.holds(step_) || firstNeed() ||
           memory_.now() < checked_ || late_.crowded() || waitsForFloor();
}

} // namespace mcpi::exact
