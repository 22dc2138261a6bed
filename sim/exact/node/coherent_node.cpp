// SPDX-License-Identifier: BSD-2-Clause
#include "coherent_node.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "exact/core/glide.h"

namespace mcpi::exact {

CoherentNode::CoherentNode(const Machine &m, const NodeSetting &setting)
    : devices_(m, setting), snoop_(m, static_cast<unsigned>(m.parameter("core.count"))),
      io_(static_cast<unsigned>(m.parameter("core.count"))), sync_(m), start_(m.base("ram", "pal")),
      blockBytes_(m.parameter("cache.block")) {
    for (unsigned n = 0; n < m.parameter("core.count"); ++n) {
        ways_.push_back(std::make_unique<Way>(*this, n));
        cores_.push_back(std::make_unique<Core>(m, devices_.ram, *ways_[n], n));
    }
    wakes_.assign(cores(), 0);
    lines_.assign(cores(), 0);
    stepped_.assign(cores(), 0);
    alone_.assign(cores(), 0);
    bounds_.assign(cores(), 0);
    join();
}

CoherentNode::CoherentNode(const CoherentNode &other)
    : devices_(other.devices_), snoop_(other.snoop_), io_(other.io_), sync_(other.sync_),
      start_(other.start_), blockBytes_(other.blockBytes_), now_(other.now_), wakes_(other.wakes_),
      bounds_(other.bounds_), alone_(other.alone_), lines_(other.lines_), stepped_(other.stepped_) {
    for (unsigned n = 0; n < other.cores_.size(); ++n) {
        ways_.push_back(std::make_unique<Way>(*this, n));
        ways_.back()->sync = other.ways_[n]->sync;
        cores_.push_back(std::make_unique<Core>(*other.cores_[n], devices_.ram, *ways_[n]));
    }
    join();
}

/// The bus sees each core's private cache.
void CoherentNode::join() {
    for (const auto &core : cores_)
        caches_.push_back(core->memory().privateCache());
}

void CoherentNode::place(const Segment &s) {
    devices_.ram.put(s.address, s.bytes);
}

void CoherentNode::reset() {
    for (const auto &core : cores_)
        core->reset(start_);
}

bool CoherentNode::halted() const {
    return std::all_of(cores_.begin(), cores_.end(), [](const auto &c) { return c->halted(); });
}

const std::vector<TickRun> &CoherentNode::step(Port &wire, uint64_t until) {
    runs_.clear();
    ordered_ = nullptr;
    const uint64_t due = std::max(next(), now_);
    now_ = std::min(due, until);
    if (due < until) {
        tick(wire);
        ++now_;
    }
    if (now_ == until)
        for (unsigned n = 0; n < cores(); ++n)
            catchUp(n, until);
    return runs_;
}

/// The tick in which something happens next, whatever the cores do by themselves.
uint64_t CoherentNode::ownNext() {
    uint64_t first = std::min({devices_.next(), devices_.system.nextTimer(), snoop_.nextOrder(),
                               snoop_.nextGrant(now_, caches_), io_.next(), sync_.next()});
    if (io_.owner() != IoArbiter::nobody)
        first = std::min(first, devices_.answers(now_));
    return first;
}

/// The tick in which something happens next.
uint64_t CoherentNode::next() {
    uint64_t first = known_ ? std::exchange(known_, 0) : ownNext();
    for (const uint64_t wake : wakes_)
        first = std::min(first, wake);
    return first;
}

/// Before which tick no other core hears of what this one does. A command of its cache is ordered
/// three ticks after it was taken, an access reaches a device two ticks after its issue; behind a
/// marker of core 0 the host may stop all of them.
void CoherentNode::bounds(unsigned n) {
    const Core &core = *cores_[n];
    const uint64_t wake = alone_[n] && wakes_[n] == core.now() ? core.rests() : wakes_[n];
    bounds_[n] = core.halted()                               ? memory::never
                 : core.accessing() || wake == memory::never ? wake
                                                             : wake + (n ? 2 : 1);
}

void CoherentNode::glideCore(unsigned n, uint64_t until) {
    if (watch_->counters) {
        watch_->tallies[n].begins((*watch_->counters)[n], watch_->stops[n]);
        cores_[n]->glide(until, watch_->tallies[n]);
    } else {
        watch_->runs[n].begins(watch_->stops[n], watch_->taker, n);
        cores_[n]->glide(until, watch_->runs[n]);
    }
}

void CoherentNode::glide(uint64_t until) {
    known_ = ownNext();
    for (bool more = true; more;) {
        more = false;
        uint64_t least = memory::never, second = memory::never; // bounds
        unsigned first = 0;
        for (unsigned n = 0; n < cores(); ++n)
            if (bounds_[n] < least) {
                second = least;
                least = bounds_[n];
                first = n;
            } else {
                second = std::min(second, bounds_[n]);
            }
        for (unsigned n = 0; n < cores(); ++n) {
            const uint64_t quiet = std::min(until, known_);
            const uint64_t most = std::min(quiet, n == first ? second : least);
            if (!alone_[n] || wakes_[n] >= most)
                continue;
            Core &core = *cores_[n];
            const uint64_t began = core.now();
            const bool raised = caches_[n]->raised();
            glideCore(n, most);
            alone_[n] = core.now() == most;
            if (core.now() == began)
                continue;
            more = true;
            if (caches_[n]->raised() != raised)
                known_ = ownNext();
            wakes_[n] = core.spinning()  ? core.rests()
                        : core.missing() ? core.next()
                                         : core.waits();
            bounds(n);
        }
    }
}

void CoherentNode::disturb() {
    for (unsigned n = 0; n < cores(); ++n) {
        const bool lags = cores_[n]->spinning();
        if (lags)
            catchUp(n, now_);
        cores_[n]->disturb();
        if (!lags)
            continue;
        wakes_[n] = cores_[n]->now();
        alone_[n] = true;
        bounds(n);
    }
}

/// The core's ticks before this one have passed.
void CoherentNode::catchUp(unsigned n, uint64_t until) {
    if (watch_ && alone_[n] && cores_[n]->now() < until)
        glideCore(n, until);
    while (cores_[n]->now() < until)
        runs_.push_back(cores_[n]->skipTo(until));
}

/// Let the core begin this tick.
void CoherentNode::firstHalf(unsigned n) {
    if (stepped_[n])
        return;
    if (cores_[n]->now() > now_)
        throw std::logic_error("a core is ahead of what it must see");
    catchUp(n, now_);
    stepped_[n] = true;
    cores_[n]->firstHalf();
}

/// The steps of the sheet.
void CoherentNode::tick(Port &wire) {
    std::fill(stepped_.begin(), stepped_.end(), 0);
    if (devices_.next() <= now_)
        devices_.at(now_, wire, *this);
    if (snoop_.nextOrder() <= now_)
        orders();
    if (const unsigned owner = io_.owner();
        owner != IoArbiter::nobody && devices_.answers(now_) <= now_)
        wakes_[owner] = now_;
    for (unsigned n = 0; n < cores(); ++n)
        if (wakes_[n] <= now_)
            firstHalf(n);
    wakesFetchers();
    writes();
    grants();
    accesses();
    finish();
}

/// Transactions end, and one is ordered: every core counts that, and acts if it is concerned.
void CoherentNode::orders() {
    if (snoop_.orders(now_))
        for (unsigned n = 0; n < cores(); ++n)
            catchUp(n, now_);
    ordered_ = snoop_.order(now_, caches_);
    for (unsigned n = 0; ordered_ && n < cores(); ++n) {
        cores_[n]->counts(caches_[n]->snooped(now_));
        if (caches_[n]->stirs(now_))
            wakes_[n] = now_;
    }
    dmaOrdered_ = ordered_ && ordered_->place == snoop_.dma();
    if (snoop_.dmaEnds(now_))
        devices_.dma(now_, true);
}

/// A core that spins in code that is about to change sees it from this tick on.
void CoherentNode::wakesFetchers() {
    const auto wakes = [this](uint64_t block) {
        for (unsigned n = 0; n < cores(); ++n)
            if (cores_[n]->now() <= now_ && cores_[n]->fetched(block))
                firstHalf(n);
    };
    for (unsigned n = 0; n < cores(); ++n)
        if (stepped_[n] && cores_[n]->writing() != memory::noBlock)
            wakes(cores_[n]->writing());
    if (dmaOrdered_ && snoop_.dmas().write)
        wakes(snoop_.dmas().address / blockBytes_);
}

/// Write to memory all that has been ordered and decided in this tick. Loads that hit have read
/// before.
void CoherentNode::writes() {
    const auto changes = [this](uint64_t block, unsigned but) {
        for (unsigned n = 0; n < cores(); ++n)
            if (n != but)
                cores_[n]->changes(block);
    };
    for (unsigned n = 0; n < cores(); ++n)
        if (stepped_[n] && cores_[n]->writing() != memory::noBlock) {
            changes(cores_[n]->writing(), n);
            cores_[n]->write();
        }
    if (!dmaOrdered_)
        return;
    dmaOrdered_ = false;
    if (snoop_.dmas().write)
        changes(snoop_.dmas().address / blockBytes_, cores());
    devices_.dma(now_, false);
}

void CoherentNode::grants() {
    if (snoop_.nextGrant(now_, caches_) > now_)
        return;
    for (unsigned n = 0; n < cores(); ++n)
        if (caches_[n]->raised())
            catchUp(n, now_);
    snoop_.grant(now_, caches_);
}

void CoherentNode::accesses() {
    if (const unsigned core = sync_.grant(now_); core != IoArbiter::nobody)
        firstHalf(core);
    const unsigned core = io_.grant(now_);
    if (core == IoArbiter::nobody)
        return;
    firstHalf(core);
    const IoArbiter::Access &a = io_.of(core);
    devices_.begin(now_, a.address, a.bytes, a.write, a.value);
    cores_[core]->accesses();
}

void CoherentNode::finish() {
    for (unsigned n = 0; n < cores(); ++n) {
        const uint64_t lines = devices_.lines(now_, n);
        if (lines != lines_[n])
            firstHalf(n);
        lines_[n] = lines;
        if (!stepped_[n])
            continue;
        runs_.push_back(cores_[n]->secondHalf());
        wakes_[n] = cores_[n]->next();
        alone_[n] = true;
        bounds(n);
    }
}

void CoherentNode::Way::begin(uint64_t, uint64_t address, unsigned bytes, bool write,
                              uint64_t value) {
    sync = node.sync_.has(address);
    const IoArbiter::Access access{address, value, bytes, write, true};
    if (sync)
        node.sync_.request(core, access);
    else
        node.io_.request(core, access);
}

uint64_t CoherentNode::Way::answers(uint64_t tick) const {
    if (sync)
        return node.sync_.owner() == core ? node.sync_.ends() : memory::never;
    return node.io_.owner() == core ? node.devices_.answers(tick) : memory::never;
}

bool CoherentNode::Way::read(uint64_t tick, uint64_t address, unsigned bytes, uint64_t &value) {
    if (sync) {
        value = node.sync_.over(tick);
        return true;
    }
    node.io_.over(tick + 2); // its answer comes in the tick after this one
    return node.devices_.read(tick, address, bytes, value, core);
}

bool CoherentNode::Way::write(uint64_t tick, uint64_t address, unsigned, uint64_t value) {
    if (sync) {
        node.sync_.over(tick);
        return true;
    }
    node.io_.over(tick + 2); // its answer comes in the tick after this one
    return node.devices_.write(tick, address, value);
}

bool CoherentNode::Way::fetchedElsewhere(uint64_t block) const {
    for (unsigned n = 0; n < node.cores(); ++n)
        if (n != core && node.cores_[n]->fetched(block))
            return true;
    return false;
}

/// A core that lags catches up through ticks in which the lines were still the old ones.
uint64_t CoherentNode::Way::lines(uint64_t tick) {
    return tick < node.now_ ? node.lines_[core] : node.devices_.lines(tick, core);
}

} // namespace mcpi::exact
