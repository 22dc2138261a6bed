// SPDX-License-Identifier: BSD-2-Clause
// A tick of caches, write buffer and bus while the core is alone with them: nothing of locks,
// devices, DMA, flushes, errors (exact-engine.md, glide). It says what `Hierarchy::step` would.
#include "hierarchy.h"

namespace mcpi::memory {

void Hierarchy::runAlone(const Step &wanted) {
    tickEvents_ = {};
    frontQuiet_ = !streamWanted_ && !streamOnBus_;
    storeWaited_ = storeWaits_ != noBlock;
    wasEmpty_ = buffer_.empty();
    storing_ = storeWaits_;
    demand_ = noBlock;
    writeTaken_ = false;
    answered_ = private_ ? private_->begin(tick_) : bus_.begin(tick_);
    if (answers(Purpose::load))
        note(TickEvents::loadFilled);
    if (private_)
        coherent();
    executesWithBus();
    const bool arrives = tick_ >= inD_ && fetchesWithBus(wanted);
    if (private_ ? !private_->busy() : !bus_.busy())
        takesAlone();
    store();
    demandWaits_ = demand_ != noBlock && !demanded_;
    if (answers(Purpose::load)) {
        if (!(private_ && private_->endsOvertaken()))
            d_.put(fill_);
        fill_ = noBlock;
        fillSent_ = false;
    }
    if (answers(Purpose::prefetch)) {
        streamOnBus_ = false;
        streamValid_ = !streamStale_ && inRam(streamBlock_);
        streamStale_ = false;
    }
    streamWanted_ &= demand_ == noBlock;
    if (arrives)
        arrived(wanted);
}

/// Stage E1.
void Hierarchy::executesWithBus() {
    const uint64_t block = blockOf(executing_.address);
    if (executing_.kind == Kind::load) {
        event(Event::dcacheAccesses);
        if (d_.holds(block)) {
            note(TickEvents::loadHits);
        } else {
            miss(dMissed_, block, Event::dcacheMisses, Event::dcacheReplacementMisses);
            fill_ = block;
        }
    } else if (executing_.kind == Kind::store) {
        event(Event::writeBufferAccesses);
        storing_ = block;
    }
    executing_.kind = Kind::other;
}

/// Stage D's instruction is there, or it misses: whether its block comes in this tick.
bool Hierarchy::fetchesWithBus(const Step &wanted) {
    const uint64_t block = blockOf(wanted.pc);
    const bool inStream = streamValid_ && streamBlock_ == block;
    if (!missing_) {
        if (there_ || i_.holds(tagOf(wanted)))
            return false;
        missing_ = true;
        miss(iMissed_, block, Event::icacheMisses, Event::icacheReplacementMisses);
        used_[i_.set(tagOf(wanted))] = 0;
        if (inStream || awaited(block))
            event(Event::icacheStreamHits);
    }
    if (inStream || (awaited(block) && answers(Purpose::prefetch)) ||
        (demanded_ && answers(Purpose::demand)))
        return true;
    if (!awaited(block) && !demanded_)
        demand_ = block;
    return false;
}

/// The free bus begins a transaction, as `arbitrate` has it.
void Hierarchy::takesAlone() {
    const bool done = answers(Purpose::write);
    const bool wantsLoad = fills() && !fillSent_;
    const bool loadWaits = wantsLoad && buffer_.has(fill_);
    const bool due =
        loadWaits || buffer_.inUse - done >= drainAt_ || tick_ >= buffer_.idleFrom + g_.idleTicks;
    const bool wantsWrite = buffer_.inUse > buffer_.sending && due;
    const bool full = buffer_.inUse == entries_ && !done;
    const bool wantsDemand = demand_ != noBlock;
    const bool wantsPrefetch = streamWanted_ && tick_ >= streamAt_;
    if (wantsWrite && (loadWaits || full || !(wantsLoad || wantsDemand || wantsPrefetch))) {
        writeTaken_ = true;
        takes(Purpose::write, buffer_.oldest(buffer_.sending));
    } else if (wantsLoad && !loadWaits) {
        fillSent_ = true;
        takes(Purpose::load, fill_);
    } else if (wantsDemand) {
        demanded_ = true;
        takes(Purpose::demand, demand_);
    } else if (wantsPrefetch) {
        streamWanted_ = false;
        streamOnBus_ = true;
        takes(Purpose::prefetch, streamBlock_);
    }
}

} // namespace mcpi::memory
