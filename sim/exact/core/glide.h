// SPDX-License-Identifier: BSD-2-Clause
// Ticks in which the core is alone with its caches, one after the other (exact-engine.md, glide):
// what stages E1 and D do in them, and nothing else. Every other tick is `step`'s.
//
// `Sink` has `steady(tick, events)`: each tick from `tick` on has these events; `stops(pc)`: the
// instruction must not issue here; `issues(tick, pc, events)`; `waits(tick, count, owner, events)`:
// before it `accesses(physical, virtual)` if it does;
// `count` ticks, if there are further events it is one; `causes(cause)`: what the private b-cache
// does in each of them; `again(events)`: what happens twice in the tick that comes next;
// `marks(tick)`, `measures(tick)`: a time around a loop that spins begins and
// ends before this tick; `forgets()`: it did not spin; `repeats(tick, times, ticks)`: from `tick`
// on it comes so many times more.
#pragma once
#include <algorithm>

#include "alpha/operate.h"
#include "core.h"

namespace mcpi::exact {

/// Reason why stage D's instruction stays there in this tick; the owner `issue`: none.
inline Core::Stuck Core::stuckAlone(const Quick &q, uint64_t tick) const {
    const Register &a = registers_[q.a], &b = registers_[q.b];
    const uint64_t ready = std::max(a.at + distance_[static_cast<unsigned>(a.maker)][q.aUse],
                                    b.at + distance_[static_cast<unsigned>(b.maker)][q.bUse]);
    const bool special = memory_.fills() || memory_.storeWaits() || a.moved || b.moved ||
                         registers_[q.target].maker == pipeline::Maker::product;
    return ready > tick || special ? needsAlone(q, tick) : Stuck();
}

/// A load in stage E1 reads, or a store has its entry of the write buffer.
template <bool Ideal> void Core::executeAlone(bool loads) {
    if (Ideal && loads && memory_.loadMissed())
        return;
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
    spin_.issues(q.word);
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
    if (translates_)
        fetchesFrom();
    step_.arrival = turns ? memory::Arrival::redirected : memory::Arrival::sequential;
    arrived_ = false;
    if (turns) {
        later_ |= bit(Event::takenBranches);
        redirection_ = Owner::takenBubble;
        memory_.turns(step_.pc, prediction_.penalty());
    }
}

/// Carry over to data and registers a tick of `runAlone`, as `memorysSide` and `lateResults` do.
inline void Core::busAlone(uint64_t tick) {
    using memory::TickEvents;
    const TickEvents &h = memory_.tickEvents();
    if (h.has(TickEvents::loadHits)) {
        loads(true);
        late_.writes(loading_.reg);
    }
    if (h.has(TickEvents::loadTaken))
        loads(false);
    if (h.has(TickEvents::writeReachesMemory))
        writes(h.block);
    if (h.has(TickEvents::writeSentToPrivateCache))
        sendToPrivateCache(h.block);
    if (h.has(TickEvents::storeBuffered))
        buffered();
    const bool filled = h.has(TickEvents::loadFilled);
    late_.tick(filled ? loading_.reg : 31, false);
    if (filled)
        retirement_.filled(tick);
}

/// With ideal memory a tick is over, before what issues in it acts: its events.
template <typename Sink> Events Core::endsIdeal(bool issues, Sink &sink) {
    memory_.endsIdeal(issues ? &step_ : nullptr);
    betweenTicks();
    if (memory_.tickEvents().again)
        sink.again(memory_.tickEvents().again);
    return memory_.tickEvents().events;
}

/// A branch back has issued in the tick before. If the loop spins, times around pass in one step.
template <typename Sink> uint64_t Core::spins(uint64_t tick, uint64_t until, Sink &sink) {
    using Stage = Spin<Register>::Stage;
    if (spin_.pc != step_.pc) {
        spin_.pc = step_.pc;
        spin_.disturb();
    }
    if (++spin_.seen < 3) {
        sink.forgets();
        return tick;
    }
    const uint64_t period = tick - spin_.tick;
    const uint64_t issues = cpu_.executed - spin_.executed, loads = loads_ - spin_.loads;
    if (spin_.stage != Stage::looks && !sameAround(tick)) {
        spin_.fails();
        sink.forgets();
        return tick;
    }
    if (spin_.stage == Stage::looks) {
        spin_.stage = Stage::compares;
    } else if (spin_.stage == Stage::compares) {
        spin_.stage = Stage::measures;
        spin_.count = 0;
        sink.marks(tick);
    } else if (spin_.stage == Stage::measures) {
        spin_.stage = Stage::known;
        sink.measures(tick);
    }
    spin_.period = period;
    const bool skips = spin_.stage == Stage::known && until > tick + period;
    if (skips) {
        const uint64_t times = (until - tick) / period;
        skipAround(times, issues, loads);
        sink.repeats(tick, times, times * period);
        tick += times * period;
    }
    around(tick);
    return tick;
}

template <typename Sink> void Core::glide(const uint64_t until, Sink &sink) {
    if (!glides_ || memory_.now() >= until || !alone())
        return;
    ideal_ ? glides<true>(until, sink) : glides<false>(until, sink);
}

template <bool Ideal, typename Sink> void Core::glides(const uint64_t until, Sink &sink) {
    using memory::Kind;
    const uint64_t began = memory_.now();
    waits_ = 0;
    const uint64_t late = comesLate(), most = std::min(until, late); // what comes is not for here
    const uint64_t cold = cold_ ? *cold_ : never;
    uint64_t tick = began, horizon = memory_.horizon();
    bool busWaits = false; // what waits for memory waits for the snooping bus
    const auto steady = [this, &busWaits] {
        const Events own = memory_.steady() | (pal_ ? bit(Event::palTicks) : 0);
        return own | (busWaits ? bit(Event::busWaitTicks) : 0);
    };
    if (coherent_) {
        busWaits = memory_.privateCache()->waits(tick);
        sink.causes(memory_.privateCache()->steadyCause());
    }
    sink.steady(tick, steady());
    if (later_ & ~bit(Event::takenBranches) && !spinning())
        spin_.disturb();
    while (tick < most) {
        const bool executes = memory_.executing() != Kind::other;
        bool bus = tick >= horizon || (executes && !memory_.executesAlone<Ideal>());
        const bool comes =
            memory_.missing() || tick < memory_.inD() || (Ideal && !memory_.fetchedAhead());
        const bool misses =
            !comes && (Ideal ? step_.pc >= cpu_.ram().size() : !memory_.hits(step_));
        bus |= misses;
        if ((bus && !runsAlone()) || step_.lost)
            break;
        const Quick *q = nullptr;
        Kind kind = Kind::other;
        bool loops = false;
        if (!comes && !misses) {
            q = &quick_(step_.pc, static_cast<uint32_t>(cpu_.ram().get(step_.pc, 4)));
            if (q->action == Quick::Action::other || step_.pc == cold ||
                sink.stops(cpu_.programCounter()))
                break;
            if (q->accesses()) {
                const uint64_t address = cpu_.r[q->word >> 16 & 31] + q->displacement();
                step_.address = (translates_ ? reaches(q->word, address) : physical(address)) &
                                ~uint64_t{q->mask};
                kind = q->action == Quick::Action::load ? Kind::load : Kind::store;
                address_ = address;
                if ((q->aligned && address & q->mask) || step_.address + 8 > cpu_.ram().size()) {
                    if (bus || stuckAlone(*q, tick).owner == Owner::issue)
                        break;
                }
            }
        }
        if (tick == palAt_) {
            pal_ = palNext_;
            sink.steady(tick, steady());
        }
        Events events = later_;
        later_ = 0;
        if (Ideal)
            memory_.beginsIdeal();
        if (bus || palAt_ == tick || kind == Kind::store)
            spin_.disturb();
        if (bus) {
            memory_.runAlone(step_);
            if (translates_)
                fetchesMapped();
            busAlone(tick);
            if (coherent_)
                sink.causes(memory_.privateCache()->cause());
            events |= memory_.tickEvents().events;
            sink.steady(tick, steady());
            horizon = 0;
        }
        Stuck stuck = q                             ? stuckAlone(*q, tick)
                      : comes && !memory_.missing() ? Stuck{memory_.inD(), owner()}
                                                    : Stuck{never, owner()};
        if (busWaits && ofMemory(stuck.owner))
            stuck.owner = Owner::busWait;
        if (!bus && stuck.owner != Owner::issue && !executes && !events && !late_.waits() &&
            (!Ideal || memory_.fetchRests())) {
            waits_ = std::min({stuck.until, horizon, late});
            if (palAt_ > tick)
                waits_ = std::min(waits_, palAt_);
            const uint64_t to = std::min(waits_, most);
            sink.waits(tick, to - tick, stuck.owner, 0);
            late_.skip(to - tick);
            loaded_ = false;
            tick = to;
            memory_.passAlone(tick);
            continue;
        }
        if (!bus) {
            if (executes) {
                const bool loads = memory_.executing() == Kind::load;
                events |= memory_.executeAlone<Ideal>();
                executeAlone<Ideal>(loads);
                if (!loads)
                    horizon = 0;
            }
            late_.tick(31, false);
        }
        loaded_ = false;
        if (stuck.owner == Owner::issue) {
            const uint64_t pc = cpu_.programCounter();
            if (translates_ && kind != Kind::other)
                usesMapped(q->word);
            events |= memory_.issueAlone(step_, kind, q->locks);
            if (Ideal)
                events |= endsIdeal(true, sink);
            if (events & bit(Event::fetchFillWords))
                spin_.disturb();
            if (kind != Kind::other)
                sink.accesses(step_.address, address_);
            issueAlone(*q, tick);
            sink.issues(tick, pc, events);
            loops = step_.arrival == memory::Arrival::redirected && cpu_.programCounter() <= pc;
        } else {
            if (Ideal)
                events |= endsIdeal(false, sink);
            sink.waits(tick, 1, stuck.owner, events);
        }
        ++tick;
        memory_.passAlone(tick);
        if (bus && coherent_)
            sink.causes(memory_.privateCache()->steadyCause());
        if (loops && !Ideal && (palAt_ < tick || palAt_ == never))
            tick = spins(tick, std::min(horizon, most), sink);
        if (!horizon) {
            if (fetched_.any())
                break;
            horizon = memory_.horizon();
        }
    }
    if (tick != began)
        memory_.land();
    if (spin_.stage == Spin<Register>::Stage::looks)
        sink.forgets();
    sink.ends(tick);
}

} // namespace mcpi::exact
