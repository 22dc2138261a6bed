// SPDX-License-Identifier: BSD-2-Clause
#include "core.h"

#include <algorithm>

#include "alpha/tlb_shape.h"
#include "memory/geometry.h"

namespace mcpi::exact {
namespace {

using memory::Arrival;

memory::Geometry geometry(const Machine &m) {
    memory::Geometry g = memory::geometry(m);
    g.ideal = m.parameter("memory.ideal");
    return g;
}

} // namespace

Core::Core(const Machine &m, alpha::Ram &ram, IoBus &io, unsigned number)
    : number_(number), cpu_(ram, *this, alpha::tlbShape(m)), io_(&io), memory_(geometry(m)),
      prediction_(m), fetched_(m.parameter("cache.block")), latencies_(m),
      exitAddress_(m.base("io", "system") + m.offset("system", "console_exit")),
      blockBytes_(m.parameter("cache.block")), ideal_(m.parameter("memory.ideal")),
      back_(m.parameter("dcache.policy")), coherent_(m.has("bcache.private")),
      translates_(cpu_.translates()),
      floor_(static_cast<unsigned>(m.parameter("tlb.refill_floor"))),
      colours_((m.parameter("dcache.size") / m.parameter("dcache.ways") - 1) &
               ~(m.parameter("tlb.page") - 1)) {
    glides_ =
        m.glides() && memory_.glides() && !prediction_.on() && m.parameter("core.load_use") > 1;
    for (unsigned maker = 0; maker < distance_.size(); ++maker)
        for (unsigned use = 0; use < distance_[maker].size(); ++use)
            distance_[maker][use] = static_cast<uint8_t>(latencies_.distance(
                static_cast<pipeline::Maker>(maker), static_cast<pipeline::Use>(use)));
}

Core::Core(const Core &other, alpha::Ram &ram, IoBus &io) : Core(other) {
    cpu_.belongsTo(ram, *this);
    io_ = &io;
}

void Core::reset(uint64_t start) {
    if (coherent_)
        cpu_.sources |= 8; // interprocessor
    cpu_.reset(start);
    wants(Arrival::reset);
}

const TickRun &Core::step(uint64_t until) {
    const uint64_t to = std::min(next(), until);
    if (to > memory_.now())
        pass(later_ ? memory_.now() + 1 : to);
    else
        tick();
    return run_;
}

/// Ticks that only pass.
void Core::pass(uint64_t until) {
    const uint64_t tick = memory_.now();
    spin_.disturb();
    begin(until - tick);
    run_.events |= memory_.steady();
    if (!sleeps(tick))
        run_.owner = owner();
    if (coherent_)
        waits(tick, memory_.privateCache()->steadyCause());
    memory_.skip(run_.count);
    late_.skip(run_.count);
    hirr_ = io_->lines(tick);
}

void Core::begin(uint64_t count) {
    const uint64_t tick = memory_.now();
    if (tick == palAt_)
        pal_ = palNext_;
    run_ = TickRun{};
    run_.tick = tick;
    run_.count = count;
    run_.core = number_;
    if (tick > refill_.last)
        refill_ = {};
    run_.events = later_ | (pal_ ? bit(Event::palTicks) : 0) | refill_.ticks;
    later_ = 0;
}

bool Core::sleeps(uint64_t tick) const {
    return cpu_.halted || (cpu_.waitMask && (tick == waitFrom_ || !(hirr_ & cpu_.waitMask)));
}

void Core::tick() {
    memoryTick();
    if (device_ != Io::none)
        devices(memory_.now());
    ending();
}

/// Carry out a tick of caches and memory.
void Core::memoryTick() {
    spin_.disturb();
    begin(1);
    if (!sleeps(memory_.now()))
        cpu_.waitMask = 0;
    step_.tick = memory_.now();
    if (memory_.looks())
        look();
    memory_.step(cpu_.halted ? nullptr : &step_); // fetching goes on while it sleeps
    memorysSide();
    lateResults();
}

/// Carry out stage D's part of the tick.
void Core::ending() {
    const uint64_t tick = memory_.now();
    const Cause cause = coherent_ ? memory_.privateCache()->cause() : Cause::none;
    if (sleeps(tick)) {
        if (memory_.there() && !cpu_.halted) { // what is to issue next waits in stage D
            if (!arrived_)
                instructionArrived();
            prediction_.waits();
        }
        ends(nullptr);
    } else if (!memory_.there()) {
        run_.owner = owner();
        if (run_.owner == Owner::translation)
            fetchMisses();
        ends(nullptr);
    } else {
        stageD();
    }
    run_.events |= memory_.tickEvents().events;
    run_.again = memory_.tickEvents().again;
    if (coherent_)
        waits(tick, cause);
    hirr_ = io_->lines(tick);
}

/// Memory's tick is over: the step has issued or trapped (`step`), or waits (null).
void Core::ends(const memory::Step *step) {
    memory_.end(step);
    if (ideal_)
        betweenTicks();
}

uint64_t Core::comesLate() const {
    uint64_t first = never;
    for (const uint64_t at : {product_.at, earlier_.at, busResult_.at})
        if (at >= memory_.now())
            first = std::min(first, at);
    return first;
}

uint64_t Core::next() const {
    const uint64_t tick = memory_.now();
    const bool awake = !cpu_.halted && !cpu_.waitMask;
    if ((!cpu_.halted && memory_.looks()) || loaded_ || late_.waits() || machineCheck_ != never ||
        overflow_ != never || (device_ == Io::draining && memory_.drained()))
        return tick;
    if (cpu_.waitMask && !cpu_.halted && (tick <= waitFrom_ || !sleeps(tick)))
        return tick;
    uint64_t first = memory_.next(cpu_.halted ? nullptr : &step_);
    const auto until = [&first, tick](uint64_t at) {
        if (at >= tick && at < first)
            first = at;
    };
    until(comesLate());
    if (palAt_ > tick)
        until(palAt_);
    if (device_ == Io::running)
        until(io_->answers(tick));
    if (awake && memory_.there())
        until(untilIssue(tick));
    return first;
}

} // namespace mcpi::exact
