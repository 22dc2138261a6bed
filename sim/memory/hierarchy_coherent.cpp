// SPDX-License-Identifier: BSD-2-Clause
// Part of a private b-cache and its snooping bus in a tick (docs/explanation/multiprocessor.md).
#include "hierarchy.h"

namespace mcpi::memory {

/// Take over what the snooping bus did before in this tick; then the private cache decides.
void Hierarchy::coherent() {
    PrivateCache &own = *private_;
    if (own.lost(tick_) != noBlock)
        locks_.written(tick_, own.lost(tick_) * g_.bBlockBytes);
    own.decide(tick_, locks_.entered() && locks_.falling(), tickEvents_);
    if (own.acts(tick_))
        acts(own.who(), own.block());
    if (own.drops(tick_)) {
        decided(false);
        answered_ = Purpose::write;
    }
}

/// Inclusion: what the b-cache has lost in this tick, the D-cache drops.
void Hierarchy::dropLost() {
    const uint64_t lost = private_->lost(tick_);
    if (lost == noBlock)
        return;
    const uint64_t blocks = g_.bBlockBytes / g_.blockBytes;
    const bool coming =
        answers(Purpose::load) ? private_->endsOvertaken() : fillSent_ && private_->overtaken();
    for (uint64_t block = lost * blocks; block < (lost + 1) * blocks; ++block) {
        const bool had = d_.holds(block) || (fill_ == block && coming);
        if (had && private_->taken())
            dLost_.add(block);
        d_.drop(block);
    }
}

} // namespace mcpi::memory
