// SPDX-License-Identifier: BSD-2-Clause
#include "trace_driven.h"

#include <algorithm>

namespace mcpi::memory {

void TraceDriven::step(const Step &s) {
    model_.begin(s);
    step(s.tick, &s);
    begin(&s);
    end(&s);
}

uint64_t TraceDriven::paced(Step s) {
    model_.begin(s);
    model_.takeOutcomeFromStep();
    const bool trap = s.what == Step::What::trap; // comes before whatever holds its instruction
    for (bool issues = false; !issues;) {
        s.tick = now();
        begin(&s);
        issues = model_.there() && (trap || !model_.holds(s));
        end(issues ? &s : nullptr);
    }
    return s.tick;
}

/// All ticks before `until`; those in which nothing changes need the model no more than once.
void TraceDriven::step(uint64_t until, const Step *wanted) {
    while (now() < until) {
        uint64_t next = std::min(model_.next(wanted), until);
        if (!dmas_.empty())
            next = std::min(next, std::max(dmas_.front().tick, now()));
        if (next == now()) {
            begin(wanted);
            end(nullptr);
            continue;
        }
        const Events each = model_.steady();
        for (uint64_t tick = now(); tick < next; ++tick) {
            if (onTick)
                onTick(tick);
            tell(tick, each);
        }
        model_.skip(next - now());
    }
}

void TraceDriven::begin(const Step *wanted) {
    if (onTick)
        onTick(now());
    if (!dmas_.empty() && dmas_.front().tick <= now() && !model_.bus().dmaWaits()) {
        model_.bus().grant(dmas_.front());
        dmas_.pop_front();
    }
    model_.step(wanted);
    if (onLost && model_.loses())
        onLost(now());
}

void TraceDriven::end(const Step *issued) {
    const uint64_t tick = now();
    model_.end(issued);
    tell(tick, model_.tickEvents().events);
    if (model_.tickEvents().has(TickEvents::storeConditionalDecided) && onConditional)
        onConditional(tick, model_.tickEvents().has(TickEvents::storeConditionalSucceeds));
}

void TraceDriven::tell(uint64_t tick, Events events) {
    if (onEvent)
        for (; events; events &= events - 1)
            onEvent(tick, static_cast<Event>(__builtin_ctzll(events)));
}

} // namespace mcpi::memory
