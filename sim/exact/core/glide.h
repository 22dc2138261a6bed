// SPDX-License-Identifier: BSD-2-Clause
// Ticks in which the core is alone with its caches, one after the other (exact-engine.md, glide):
// what stages E1 and D do in them, and nothing else. Every other tick is `step`'s.
//
// `Sink` has `steady(tick, events)`: each tick from `tick` on has these events; `stops(pc)`: the
// instruction must not issue here; `issues(tick, pc, events)`; `waits(tick, count, owner, events)`:
// `count` ticks, if there are further events it is one.
#pragma once
#include <algorithm>

#include "alpha/operate.h"
#include "core.h"

namespace mcpi::exact {

/// What keeps stage D's instruction there in this tick; the owner `issue`: nothing.
inline Core::Stuck Core::stuckAlone(const Quick &q, uint64_t tick) const {
    const Register &a = registers_[q.a], &b = registers_[q.b];
    const uint64_t ready = std::max(a.at + distance_[static_cast<unsigned>(a.maker)][q.aUse],
                                    b.at + distance_[static_cast<unsigned>(b.maker)][q.bUse]);
    const bool special = memory_.fills() || a.moved || b.moved ||
                         registers_[q.target].maker == pipeline::Maker::product;
    return ready > tick || special ? needsAlone(q, tick) : Stuck();
}

/// A load in stage E1 reads, or a store has its entry of the write buffer.
inline void Core::executeAlone(bool loads) {
    if (loads) {
        this->loads(true);
        late_.writes(loading_.reg);
    } else if (back_) {
        stored_.back().buffered = true;
        writes(stored_.back().address / blockBytes_);
    } else {
        buffered();
    }
}

/// The instruction issues, as `issue` and `leaveStageD` have it.
inline void Core::issueAlone(const Quick &q, uint64_t tick) {
    using Action = Quick::Action;
    using pipeline::Maker;
    const auto ra = q.word >> 21 & 31;
    const uint64_t next = alpha::place(cpu_.pc, 4);
    uint64_t target = next, result = 0;
    bool writes = true, turns = false;
    auto &r = cpu_.r;
    retirement_.issues();
    ++cpu_.executed;
    switch (q.action) {
    case Action::add:
        result = r[q.word >> 16 & 31] + q.displacement() * (q.word >> 26 & 1 ? 65536 : 1);
        break;
    case Action::operate:
    case Action::move: {
        const uint64_t b = q.word >> 12 & 1 ? q.word >> 13 & 0xFF : r[q.word >> 16 & 31];
        writes = alpha::operate(q.word >> 26, q.word >> 5 & 0x7F, r[ra], b, result) !=
                 alpha::Outcome::keep;
        break;
    }
    case Action::load:
        writes = false;
        ++loads_;
        loaded_ = true;
        retirement_.loads();
        loading_ = {q.target, step_.address, q.mask + 1u, true};
        break;
    case Action::store:
        writes = false;
        stored_.push_back({step_.address, r[ra], q.mask + 1u, false});
        issuedStore_ = tick;
        break;
    case Action::branch:
        result = next;
        target = q.branchTarget(next);
        turns = true;
        break;
    case Action::jump:
        target = alpha::place(r[q.word >> 16 & 31]) & ~uint64_t{3};
        result = next;
        turns = true;
        break;
    case Action::conditional:
        writes = false;
        turns = alpha::branchTaken(q.word >> 26, r[ra]);
        redirection_ = Owner::takenBubble;
        if (turns)
            target = q.branchTarget(next);
        break;
    default:
        writes = false;
        break;
    }
    if (q.target != 31) {
        Register &old = registers_[q.target];
        const bool moved =
            q.action == Action::move && old.maker == Maker::load && old.at + 1 == tick;
        old = {tick, static_cast<Maker>(q.maker), loads_, moved};
        if (writes) {
            r[q.target] = result;
            late_.writes(q.target);
        }
    }
    cpu_.pc = target;
    step_.pc = physical(target);
    step_.arrival = turns ? memory::Arrival::redirected : memory::Arrival::sequential;
    arrived_ = false;
    if (turns) {
        later_ |= bit(Event::takenBranches);
        redirection_ = Owner::takenBubble;
        memory_.turns(prediction_.penalty());
    }
}

template <typename Sink> void Core::glide(uint64_t until, Sink &sink) {
    using memory::Kind;
    uint64_t tick = memory_.now();
    if (!glides_ || tick >= until || !alone())
        return;
    const auto bounded = [this, until] {
        uint64_t first = std::min(until, memory_.horizon());
        for (const uint64_t at : {product_.at, earlier_.at, busResult_.at})
            if (at >= memory_.now())
                first = std::min(first, at);
        return first;
    };
    uint64_t horizon = bounded();
    if (tick >= horizon)
        return;
    const uint64_t cold = cold_ ? *cold_ : never;
    const Events busy = memory_.steady();
    sink.steady(tick, busy | (pal_ ? bit(Event::palTicks) : 0));
    const uint64_t began = tick;
    while (tick < horizon) {
        const bool executes = memory_.executing() != Kind::other;
        if (executes && !memory_.executesAlone())
            break;
        if (tick == palAt_) {
            pal_ = palNext_;
            sink.steady(tick, busy | (pal_ ? bit(Event::palTicks) : 0));
        }
        const bool comes = memory_.missing() || tick < memory_.inD();
        const Quick *q = nullptr;
        Stuck stuck;
        Kind kind = Kind::other;
        if (comes) {
            stuck = {memory_.missing() ? never : memory_.inD(), owner()};
        } else {
            if (!memory_.hits(step_) || step_.pc == cold)
                break;
            q = &quick_(step_.pc, static_cast<uint32_t>(cpu_.ram().get(step_.pc, 4)));
            if (q->action == Quick::Action::other)
                break;
            stuck = stuckAlone(*q, tick);
            if (stuck.owner == Owner::issue && sink.stops(cpu_.programCounter()))
                break;
            if (stuck.owner == Owner::issue && q->accesses()) {
                const uint64_t address = cpu_.r[q->word >> 16 & 31] + q->displacement();
                if ((q->aligned && address & q->mask) ||
                    physical(address) + 8 > cpu_.ram().size())
                    break;
                step_.address = physical(address) & ~uint64_t{q->mask};
                kind = q->action == Quick::Action::load ? Kind::load : Kind::store;
            }
        }
        Events events = later_;
        later_ = 0;
        if (stuck.owner != Owner::issue && !executes && !events) {
            uint64_t to = std::min(stuck.until, horizon);
            if (palAt_ > tick)
                to = std::min(to, palAt_);
            sink.waits(tick, to - tick, stuck.owner, 0);
            late_.skip(to - tick);
            loaded_ = false;
            tick = to;
            memory_.passAlone(tick);
            continue;
        }
        if (executes) {
            const bool loads = memory_.executing() == Kind::load;
            events |= memory_.executeAlone();
            executeAlone(loads);
            if (!loads)
                horizon = 0;
        }
        loaded_ = false;
        late_.quietTick();
        if (stuck.owner == Owner::issue) {
            const uint64_t pc = cpu_.programCounter();
            events |= memory_.issueAlone(step_, kind);
            issueAlone(*q, tick);
            sink.issues(tick, pc, events);
        } else {
            sink.waits(tick, 1, stuck.owner, events);
        }
        ++tick;
        memory_.passAlone(tick);
        if (!horizon)
            horizon = bounded();
    }
    if (tick != began)
        memory_.land();
    sink.ends(tick);
}

} // namespace mcpi::exact
