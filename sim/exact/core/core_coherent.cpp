// SPDX-License-Identifier: BSD-2-Clause
// Core among several: a tick in two halves, between which the node writes memory and gives the
// buses away (docs/explanation/multiprocessor.md, A tick, in order).
#include <utility>

#include "core.h"

namespace mcpi::exact {
namespace {

/// A tick of these in which the request waits for the bus is the bus's.
bool ofMemory(Owner owner) {
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

} // namespace

/// Give the tick to its owner, if the private cache has something under way.
void Core::waits(uint64_t tick, Cause cause) {
    const memory::PrivateCache &own = *memory_.privateCache();
    lived_.cause = cause;
    lived_.events |= own.waiting(tick);
    if (own.waits(tick) && ofMemory(lived_.owner))
        lived_.owner = Owner::busWait;
}

void Core::begins() {
    passing_ = next() > now();
    if (passing_)
        return;
    memoryTick();
    if (device_ != Io::none)
        devices(now());
}

const Lived &Core::finishes() {
    const uint64_t tick = now();
    if (passing_) {
        pass(tick + 1);
        lived_.events |= memory_.privateCache()->snooped(tick);
    } else {
        ending();
    }
    return lived_;
}

const Lived &Core::passes(uint64_t until) {
    pass(later_ ? now() + 1 : until);
    return lived_;
}

void Core::accesses() {
    if (device_ == Io::running && io_->answers(now()) == now())
        answered();
}

void Core::write() {
    writes(std::exchange(writing_, memory::noBlock));
    if (std::exchange(conditionalStores_, false))
        storesConditional();
}

} // namespace mcpi::exact
