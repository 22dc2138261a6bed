// SPDX-License-Identifier: BSD-2-Clause
// When the core is alone with its caches, and what holds an instruction then (glide.h).
#include <algorithm>

#include "core.h"

namespace mcpi::exact {
namespace {

using pipeline::Maker;

} // namespace

/// Nothing is under way but stages E1 and D, and what the memory system does by itself later.
bool Core::alone() const {
    const uint64_t tick = memory_.now();
    return memory_.calm() && device_ == Io::none && !cpu_.halted && !cpu_.waitMask &&
           tick >= ioDone_ && tick >= checked_ && machineCheck_ == never && overflow_ == never &&
           !late_.productWaits() && !late_.crowded() && !fetched_.any() && !conditional_.waits &&
           step_.what == memory::Step::What::issue && hirr_ == io_->lines(tick) &&
           (cpu_.palMode || !(hirr_ & cpu_.internal.interruptEnable));
}

uint64_t Core::rests() const {
    const uint64_t tick = memory_.now();
    if (memory_.executing() != memory::Kind::other)
        return tick;
    const uint64_t acts = memory_.horizon();
    return memory_.missing() ? acts : std::max(tick, std::min(acts, memory_.inD()));
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
