// SPDX-License-Identifier: BSD-2-Clause
// Core among several: a tick in two halves, between which the node writes memory and gives the
// buses away (docs/explanation/multiprocessor.md, A tick, in order).
#include <utility>

#include "core.h"

namespace mcpi::exact {
/// A tick of these in which the request waits for the bus is the bus's.
bool Core::ofMemory(Owner owner) {
    switch (owner) {
    case Owner::iDemand:
    case Owner::iStream:
    case Owner::dMiss:
    case Owner::memoryPort:
    case Owner::writeBufferFull:
    case Owner::barrier:
        return true;
    default:
        return false;
    }
}

/// Give the tick to its owner, if the private cache has something under way.
void Core::waits(uint64_t tick, Cause cause) {
    const memory::PrivateCache &own = *memory_.privateCache();
    run_.cause = cause;
    run_.events |= own.waiting(tick);
    if (own.waits(tick) && ofMemory(run_.owner))
        run_.owner = Owner::busWait;
}

void Core::firstHalf() {
    passing_ = next() > now();
    if (passing_)
        return;
    memoryTick();
    if (device_ != Io::none)
        devices(now());
}

const TickRun &Core::secondHalf() {
    const uint64_t tick = now();
    if (passing_) {
        pass(tick + 1);
        run_.events |= memory_.privateCache()->snooped(tick);
    } else {
        ending();
    }
    return run_;
}

const TickRun &Core::skipTo(uint64_t until) {
    pass(later_ ? now() + 1 : until);
    return run_;
}

void Core::accesses() {
    if (device_ == Io::running && io_->answers(now()) == now())
        answered();
}

void Core::write() {
    written_ = {writing_, now()};
    writes(std::exchange(writing_, memory::noBlock));
    if (std::exchange(conditionalStores_, false))
        storesConditional();
}

} // namespace mcpi::exact
