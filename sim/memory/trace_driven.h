// SPDX-License-Identifier: BSD-2-Clause
// The memory model for a caller that knows when instructions issued, or lets the model decide: the
// caller gives steps, the model returns the events of each tick.
#pragma once
#include <deque>
#include <functional>

#include "hierarchy.h"

namespace mcpi::memory {

class TraceDriven {
  public:
    explicit TraceDriven(const Geometry &geometry) : model_(geometry) {}

    /// Add a step, in program order; run all ticks up to the step's.
    void step(const Step &step);
    /// The same for a step whose tick is not known: it issues as soon as it is there and no load
    /// miss, full write buffer, barrier or device access before it holds it; a trap is taken as
    /// soon as its instruction is there. STx_C has the outcome that the step says. Returns that
    /// tick.
    uint64_t paced(Step step);
    /// In tick order, each before the step that comes after it.
    void dma(const Dma &d) { dmas_.push_back(d); }
    /// Run to `tick` without a further instruction.
    void finish(uint64_t tick) { step(tick + 1, nullptr); }
    /// From now on no block has been resident.
    void forget() { model_.forget(); }
    uint64_t now() const { return model_.now(); }
    const Hierarchy &hierarchy() const { return model_; }

    /// Every predicted event in the tick it belongs to; ticks never go back.
    std::function<void(uint64_t tick, Event event)> onEvent;
    /// STx_C is decided: whether it stores, to memory.
    std::function<void(uint64_t tick, bool stores)> onConditional;
    /// A step that is lost is fetched: the tick in which an ITB has no address for it.
    std::function<void(uint64_t tick)> onLost;
    /// Called before a tick runs.
    std::function<void(uint64_t tick)> onTick;

  private:
    void step(uint64_t until, const Step *wanted);
    void begin(const Step *wanted);
    void end(const Step *issued);
    void tell(uint64_t tick, Events events);

    Hierarchy model_;
    std::deque<Dma> dmas_;
};

} // namespace mcpi::memory
