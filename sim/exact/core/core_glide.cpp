// SPDX-License-Identifier: BSD-2-Clause
// When the core is alone with its caches, and what holds an instruction then (glide.h).
#include <algorithm>

#include "core.h"

namespace mcpi::exact {
namespace {

using pipeline::Maker;

constexpr uint64_t settled =
    4; // ticks of the pipeline's end, which is periodic if a loop is longer

} // namespace

/// Nothing is under way but stages E1 and D, and what the memory system does by itself later.
bool Core::quiet() const {
    const uint64_t tick = memory_.now();
    return memory_.calm() && device_ == Io::none && !cpu_.halted && !cpu_.waitMask &&
           tick >= ioDone_ && tick >= checked_ && machineCheck_ == never && overflow_ == never &&
           !late_.productWaits() && !late_.crowded() && !fetched_.any() && !conditional_.waits &&
           step_.what == memory::Step::What::issue && !refill_.ticks;
}

/// And no interrupt comes. A core that spins may lag behind its lines: until they changed they were
/// as it saw them last.
bool Core::alone() const {
    return quiet() && (spinning() || hirr_ == io_->lines(memory_.now())) &&
           (cpu_.palMode || !(hirr_ & cpu_.internal.interruptEnable));
}

/// The tick of caches and bus is the core's alone: no other core has code that a write changes.
bool Core::runsAlone() const {
    if (!memory_.runsAlone())
        return false;
    const memory::PrivateCache *own = memory_.privateCache();
    return !own || !own->decidesWrite(memory_.now()) || !io_->fetchedElsewhere(own->block());
}

uint64_t Core::rests() const {
    const uint64_t tick = memory_.now();
    if (!quiet()) // an STx_C that is not decided may go out in any tick
        return tick;
    const uint64_t acts = std::min(memory_.horizon(), comesLate());
    if (spinning())
        return acts;
    if (memory_.executing() != memory::Kind::other)
        return tick;
    return memory_.missing() ? acts : std::max(tick, std::min(acts, memory_.inD()));
}

/// A time around the loop has changed nothing but the tick, and registers by as much as before.
bool Core::sameAround(uint64_t tick) {
    using Stage = Spin<Register>::Stage;
    const uint64_t period = tick - spin_.tick;
    if (period < settled || (spin_.stage != Stage::compares && period != spin_.period))
        return false;
    for (unsigned n = 0; n < cpu_.r.size(); ++n) {
        const uint64_t more = cpu_.r[n] - spin_.r[n];
        if (spin_.stage != Stage::compares && more != spin_.more[n])
            return false;
        spin_.more[n] = more;
    }
    if (spin_.stage == Stage::measures && !spin_.counts())
        return false;
    for (unsigned n = 0; n < registers_.size(); ++n) {
        const Register &now = registers_[n], &then = spin_.registers[n];
        const bool old = now.at == then.at && now.at + settled * 8 <= spin_.tick;
        const bool again =
            now.at == then.at + period && now.load - then.load == loads_ - spin_.loads;
        if (now.maker != then.maker || now.moved != then.moved || !(old || again))
            return false;
    }
    return true;
}

void Core::around(uint64_t tick) {
    spin_.tick = tick;
    spin_.r = cpu_.r;
    spin_.registers = registers_;
    spin_.executed = cpu_.executed;
    spin_.loads = loads_;
}

/// So many times around pass.
void Core::skipAround(uint64_t times, uint64_t issues, uint64_t loads) {
    const uint64_t ticks = times * spin_.period, began = memory_.now() - spin_.period;
    for (Register &one : registers_)
        if (one.at >= began) {
            one.at += ticks;
            one.load += times * loads;
        }
    for (unsigned n = 0; n < cpu_.r.size(); ++n)
        cpu_.r[n] += times * spin_.more[n];
    loads_ += times * loads;
    cpu_.executed += times * issues;
    retirement_.repeats(static_cast<int64_t>(times * issues), loads);
    memory_.repeats(ticks);
}

/// The first need of the instruction that is not there in this tick, as `operands` lists them; then
/// the memory port.
Core::Stuck Core::needsAlone(const Quick &q, uint64_t tick) const {
    const bool fills = memory_.loadFills();
    const auto need = [&](unsigned reg, unsigned use, Stuck &stuck) {
        const Register &r = registers_[reg];
        if (reg == 31 || r.maker == Maker::old)
            return false;
        const uint64_t distance = distance_[static_cast<unsigned>(r.maker)][use];
        if (r.maker == Maker::load && r.load == loads_ && fills)
            stuck = {never, Owner::dMiss};
        else if (r.moved && distance < 2 && tick < r.at + 2)
            stuck = {r.at + 2, Owner::loadUse};
        else if (tick < r.at + distance)
            stuck = {r.at + distance, ownerOf(r.maker)};
        else
            return false;
        return true;
    };
    Stuck stuck;
    if (memory_.storeWaits())
        return {never, Owner::writeBufferFull};
    if (need(q.a, q.aUse, stuck) || need(q.b, q.bUse, stuck))
        return stuck;
    if (q.target != 31) {
        const Register &old = registers_[q.target];
        if (old.maker == Maker::load && old.load == loads_ && fills)
            return {never, Owner::dMiss};
        if (old.maker == Maker::product && tick < old.at)
            return {old.at, Owner::multiply};
    }
    if (q.accesses() && memory_.fills())
        return {never, Owner::memoryPort};
    return stuck;
}

} // namespace mcpi::exact
