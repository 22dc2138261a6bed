// SPDX-License-Identifier: BSD-2-Clause
#include "timeline.h"

#include <algorithm>
#include <iterator>

namespace mcpi::debug {
namespace {

constexpr uint64_t chunk = 1 << 20; // ticks between looks at the debugger
constexpr uint64_t never = ~uint64_t{0};

} // namespace

Timeline::Timeline(std::unique_ptr<Machines> machines) : now_(std::move(machines)) {
    if (auto first = now_->copy())
        even_.emplace(tick(), std::move(first));
}

/// A copy of the machines at their tick, which is a whole multiple of the spacing.
void Timeline::keep() {
    even_.emplace(tick(), now_->copy());
    if (even_.size() <= most)
        return;
    spacing_ *= 2;
    for (auto it = even_.begin(); it != even_.end();)
        it = it->first % spacing_ ? even_.erase(it) : std::next(it);
}

/// The machines stand at the latest tick up to `tick` of which there is a copy: that one. They may
/// stand there already, or nearer.
uint64_t Timeline::back(uint64_t tick) {
    if (!goesBack())
        return now_->standing();
    const auto best = [tick](Copies &copies) {
        const auto next = copies.upper_bound(tick);
        return next == copies.begin() ? nullptr : std::prev(next)->second.get();
    };
    const Machines *found = best(even_), *near = best(near_);
    if (near && near->standing() > found->standing())
        found = near;
    const bool usable = !now_->apart() && now_->standing() <= tick;
    if (!usable || now_->standing() < found->standing())
        now_ = found->copy();
    return now_->standing();
}

/// Keep a copy of the machines at their tick, if it is one of those that are kept.
void Timeline::onTheWay(uint64_t until) {
    if (tick() % spacing_ == 0 && tick() > even_.rbegin()->first) {
        keep();
        return;
    }
    if (until == never || tick() >= until || kept(tick()) || until - tick() > nearest * 64)
        return;
    near_.emplace(tick(), now_->copy());
    if (near_.size() <= mostNear)
        return;
    const uint64_t low = tick() - near_.begin()->first;
    const uint64_t high = near_.rbegin()->first - std::min(tick(), near_.rbegin()->first);
    near_.erase(low > high ? near_.begin() : std::prev(near_.end()));
}

/// Run to this tick; false: a hit, the end, a failure or the debugger came first. Copies are made
/// on the way.
bool Timeline::run(uint64_t until, exact::Probe *probe, const Interrupted *interrupted) {
    const uint64_t last = goesBack() ? even_.rbegin()->first : never;
    while (tick() < until) {
        uint64_t to = std::min(until, tick() + chunk);
        if (const uint64_t mark = (tick() / spacing_ + 1) * spacing_; mark > last)
            to = std::min(to, mark);
        if (const uint64_t left = until - tick(); until != never && left > 2 * nearest)
            to = std::min(to, tick() + left / 2);
        now_->standAt(to, probe);
        if (tick() < to || now_->apart() || !now_->failure().empty())
            return false;
        if (now_->stopped())
            return false;
        if (goesBack())
            onTheWay(until);
        if (interrupted && (*interrupted)())
            return false;
    }
    return true;
}

void Timeline::goTo(uint64_t tick) {
    back(tick);
    run(tick, nullptr, nullptr);
}

Timeline::End Timeline::forward(Stops &stops, Hit &hit, const Interrupted &interrupted) {
    stops.forget();
    stops.begin(*now_, {});
    bool asked = false;
    const Interrupted ask = [&] { return asked = interrupted(); };
    run(never, stops.any() ? &stops : nullptr, &ask); // without a probe the cores glide
    const bool apart = now_->apart();
    if (!now_->failure().empty())
        return End::failed;
    if (const auto found = stops.found()) {
        hit = *found;
        stops.tells(hit);
        if (apart)
            goTo(hit.tick);
        return End::hit;
    }
    return asked ? End::interrupted : End::end;
}

void Timeline::past(uint64_t until, exact::Probe &probe, const std::function<void()> &begins,
                    const std::function<bool()> &part) {
    while (until) {
        const uint64_t from = back(until - 1);
        begins();
        run(until, &probe, nullptr);
        if (part())
            return;
        until = from;
    }
}

Timeline::End Timeline::backward(Stops &stops, Hit &hit, const Interrupted &interrupted) {
    if (!stops.any()) {
        goTo(0);
        return End::begin;
    }
    const uint64_t began = tick();
    std::optional<Hit> found;
    bool asked = false;
    stops.forget();
    past(
        began, stops, [&] { stops.begin(*now_, began); },
        [&] {
            found = stops.found();
            if (!found)
                stops.partBefore();
            return found || (asked = interrupted());
        });
    if (found)
        hit = *found;
    const uint64_t there = found ? hit.tick : asked ? began : 0;
    goTo(there);
    return found ? End::hit : asked ? End::interrupted : End::begin;
}

} // namespace mcpi::debug
