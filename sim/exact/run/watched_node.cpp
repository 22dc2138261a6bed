// SPDX-License-Identifier: BSD-2-Clause
#include "watched_node.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include "base/bootparams.h"
#include "check/machine_state.h"
#include "log/gzip.h"
#include "memory/geometry.h"
#include "testbed/hang.h"

namespace mcpi::exact {
namespace {

/// Parts that passages tell apart: counts inside a refill of a TLB.
constexpr std::pair<Event, const char *> refilling[] = {
    {Event::dcacheMisses, "refill.dcache.misses"},
    {Event::dcacheDirtyMisses, "refill.dcache.dirty_misses"},
    {Event::busCoreWaitsDma, "refill.bus.core_waits_dma"}};

/// Ticks of a row of ticks.csv: one, unless they are idle.
uint64_t row(const TickRun &run) {
    return run.owner == Owner::idle ? run.count : 1;
}

NodeSetting setting(const Machine &machine, const Options &options, const NodeOptions &given,
                    unsigned number) {
    const uint64_t perUs = machine.parameter("clock.ticks_per_us");
    const uint64_t period = machine.timerPeriod();
    const uint64_t poll = (machine.parameter("lance.poll_ns") * perUs * 2 + 1000) / 2000;
    NodeSetting s;
    s.number = number;
    s.timerPhase =
        given.phase ? given.phase : 1 + phaseFromSeed(options.seed, phaseTimer + number, period);
    s.pollPhase = phaseFromSeed(options.seed, phasePoll + number, poll);
    s.station = bootFields(machine, number, given.boot).at("mac");
    return s;
}

} // namespace

WatchedNode::WatchedNode(const Machine &machine, const Options &options, const NodeOptions &given,
                         unsigned number)
    : number_(number), skips_(!options.noSkip), program_(readProgram(machine, given, number)),
      node_(std::make_unique<Node>(machine, setting(machine, options, given, number))),
      counters_(machine), markers_(program_.markers), back_(machine.parameter("dcache.policy")) {
    comparators(program_, CounterBanks::info(machine), number);
    for (const auto &segment : program_.segments)
        node_->place(segment);
    program_.segments.clear(); // they are in memory
    node_->reset();
    if (const bool rows = options.tickLog == static_cast<int>(number); rows || options.passages)
        log_.emplace(CounterBanks::info(machine).owners, rows, options.passages, options.passagesOf,
                     options.out);
    if (options.misses && options.tickLog == static_cast<int>(number))
        misses_ = std::make_unique<MissRecorder>(machine, options.out, number);
    if (options.span.wanted())
        span_.emplace(CounterBanks::info(machine).owners, options.span, options.out, number);
    if (options.spells) {
        spells_.emplace(CounterBanks::info(machine).owners, options.out, number,
                        packs(options.compress));
        node_->watchLance();
    }
    if (options.trace == static_cast<int>(number))
        trace_.emplace();
    if (!given.calls.empty())
        calls_.emplace(given.calls, options.out, number);
    if (options.oracle && !number && (options.cold || !options.forkCold.empty()))
        replay_.emplace(memory::geometry(machine));
    for (const auto &[key, usual] : {std::pair{"dcache.ways", 1U}, {"dcache.victims", 0U}})
        if (options.evictions && machine.parameter(key) != usual)
            throw UserError("--evictions: " + std::string(key) + " = " +
                            std::to_string(machine.parameter(key)) +
                            ": it is for a direct-mapped D-cache alone so far.");
    if (options.evictions)
        evictions_.emplace(machine.parameter("dcache.size") / machine.parameter("cache.block"),
                           machine.parameter("cache.block"), machine.parameter("memory.size"));
    if (!given.guard.empty())
        guard_.emplace(given.guard);
    if (!given.unwritten.empty())
        unwritten_ = std::make_unique<Unwritten>(given.unwritten, machine.parameter("memory.size"));
    watches_ = log_ || trace_ || calls_ || replay_;
    if (span_ || trace_ || calls_ || replay_ || evictions_ || guard_ || misses_ || unwritten_)
        node_->core().watch();
}

WatchedNode::WatchedNode(const WatchedNode &other)
    : number_(other.number_), skips_(other.skips_), program_(other.program_),
      node_(std::make_unique<Node>(*other.node_)), counters_(other.counters_),
      markers_(other.markers_), runs_(other.runs_), tally_(other.tally_), log_(other.log_),
      spells_(other.spells_), trace_(other.trace_), replay_(other.replay_), guard_(other.guard_),
      vanishing_(other.vanishing_), watches_(other.watches_), back_(other.back_),
      endsByHost_(other.endsByHost_), instructions_(other.instructions_), issued_(other.issued_),
      pc_(other.pc_), accessed_(other.accessed_) {}

void WatchedNode::advance(uint64_t until, Port &port) {
    node_->wake();
    stopped_ = false;
    while (node_->now() < until && !stopped_) {
        if (skips_ && !probe_)
            glide(until);
        if (node_->now() >= until)
            break;
        if (misses_)
            misses_->before(node_->core());
        const TickRun &run = node_->step(port, skips_ && !vanishes() ? until : node_->now() + 1);
        const bool stops = probe_ && probe_->after(number_, run);
        observe(run);
        stopped_ = stops;
    }
    for (const LanceStep &step : node_->lanceSteps())
        spells_->step(step);
}

/// `glided`: the core has run on since.
void WatchedNode::observe(const TickRun &run, const Runs::Row *glided) {
    if (run.owner == Owner::issue) {
        ++instructions_;
        issued_ = run.tick;
        pc_ = run.pc;
        if (const auto *found = markers_.at(run.pc))
            for (const auto &marker : *found) {
                logMarker(marker);
                if (spells_)
                    spells_->marker(run.tick, marker);
                if (observer)
                    observer->marker(number_, node_->world(run.tick), marker);
                if (vanishing_)
                    vanishing_->marker(node_->world(run.tick), marker);
            }
    }
    if (spells_)
        spells_->tick(static_cast<unsigned>(run.owner), run.count);
    const bool forgets = counters_.tick(run);
    if (unwritten_ && run.owner == Owner::issue)
        follows(run); // before its consequences
    if (guard_ && run.owner == Owner::issue)
        guards(run);
    if (span_ && span_->wants(run.tick, run.count))
        logSpan(run);
    if (watches_)
        watch(run, glided);
    if (forgets) {
        coldStart();
        if (observer)
            observer->coldStart(number_);
    }
    if (vanishes() && vanishing_->takesNone(run, node_->core().cpu().pc))
        node_->vanishes(Vanishing::ofMemory(run.owner));
}

/// The core runs on while it is alone with its caches, unless somebody looks at what it has issued.
void WatchedNode::glide(uint64_t until) {
    if (span_ || trace_ || calls_ || replay_ || guard_ || misses_ || unwritten_ || vanishes())
        return;
    if (log_ || evictions_) {
        const Runs::Taker taker = [this](const Runs::Row &run) {
            observe(run, &run);
            if (run.physical != Runs::noAccess)
                accessed_ = run.physical;
        };
        runs_.begins({&markers_}, taker);
        node_->glide(until, runs_);
        return;
    }
    tally_.begins(counters_, {&markers_});
    std::array<uint64_t, ownerNames.size()> before;
    std::copy_n(tally_.owners(), before.size(), before.begin());
    node_->glide(until, tally_);
    for (unsigned owner = 0; spells_ && owner < before.size(); ++owner)
        if (const uint64_t count = tally_.owners()[owner] - before[owner])
            spells_->tick(owner, count);
    if (!tally_.instructions)
        return;
    instructions_ += std::exchange(tally_.instructions, 0);
    issued_ = tally_.last;
    pc_ = tally_.pc;
}

void WatchedNode::logMarker(const Marker &marker) {
    if (marker.action != actionEvent)
        counters_.marker(marker);
    if (log_)
        log_->marker(marker);
    if (trace_)
        trace_->marker(marker);
}

template <typename Log> void WatchedNode::log(Log &log, const TickRun &run) {
    for (uint64_t n = 0; n < run.count; n += row(run)) {
        log.tick(run.tick + n, static_cast<unsigned>(run.owner), run.pc & physicalMask, row(run));
        for (const Event event : loggedEvents)
            for (const Events events : {run.events, run.again})
                log.event(events & bit(event), event);
    }
}

void WatchedNode::logSpan(const TickRun &run) {
    log(*span_, run);
    const Core::Issued &issued = node_->core().issued();
    if (run.owner == Owner::issue && !(run.pc & 1) && memory::accesses(issued.step.kind))
        span_->access(span_->issues() - 1, issued.stores, issued.address);
}

/// A miss begins in stage E1, while the next instruction may issue: the access before it is known.
void WatchedNode::logFill(const TickRun &run) {
    if (run.events & bit(Event::dcacheMisses))
        evictions_->fills(node_->core().memory().filling(), log_ && log_->open());
    const Core::Issued &issued = node_->core().issued();
    if (run.owner == Owner::issue && memory::accesses(issued.step.kind))
        accessed_ = issued.step.address;
    if (run.owner == Owner::issue && !(run.pc & 1) && memory::accesses(issued.step.kind))
        evictions_->access(issued.step.address, issued.address);
}

void WatchedNode::logFill(const Runs::Row &run) {
    if (run.events & bit(Event::dcacheMisses))
        evictions_->fills(node_->core().memory().blockOf(accessed_), log_ && log_->open());
    if (!(run.pc & 1) && run.physical != Runs::noAccess)
        evictions_->access(run.physical, run.address);
}

void WatchedNode::watch(const TickRun &run, const Runs::Row *glided) {
    const bool issues = run.owner == Owner::issue;
    if (log_ && log_->open()) {
        log(*log_, run);
        if (back_ && run.events & (bit(Event::itbRefillTicks) | bit(Event::dtbRefillTicks)))
            for (uint64_t n = 0; n < run.count; n += row(run))
                for (const auto &[event, name] : refilling)
                    for (const Events events : {run.events, run.again})
                        log_->part(events & bit(event), name);
    }
    if (misses_)
        misses_->after(node_->core(), run, log_->open());
    if (evictions_ && glided)
        logFill(*glided);
    else if (evictions_)
        logFill(run);
    if (glided)
        return;
    const memory::TickEvents &memory = node_->core().memory().tickEvents();
    if (replay_ && memory.has(memory::TickEvents::storeConditionalDecided))
        replay_->decided(memory.has(memory::TickEvents::storeConditionalSucceeds));
    if (!issues)
        return;
    if (calls_ && calls_->wants(run.pc)) {
        CallLog::Values values;
        for (unsigned i = 0; i < values.size(); ++i)
            values[i] = node_->core().before(CallLog::registers[i]);
        calls_->log(run.tick, run.pc, values);
    }
    const Core::Issued &issued = node_->core().issued();
    if (replay_) {
        memory::Step step = issued.step;
        step.address |= issued.address & 7; // its low bits too
        replay_->step(step, counters_.onPath() && (endsByHost_ || !counters_.coldEnded()));
    }
    if (!trace_)
        return;
    Retirement r = {};
    r.pc = run.pc;
    r.memory = memory::accesses(issued.step.kind);
    r.store = issued.stores;
    r.address = issued.address;
    trace_->retired(r);
}

/// The node stops in the tick in which the program leaves its bounds.
void WatchedNode::guards(const TickRun &run) {
    const Core &core = node_->core();
    const Core::Issued &issued = core.issued();
    guard_->executed(run.pc, core.cpu());
    if (memory::accesses(issued.step.kind))
        guard_->accesses(run.pc, core.cpu(), issued.stores, issued.address);
    guard_->check(number_);
}

/// The same where it uses what nobody has written.
void WatchedNode::follows(const TickRun &run) {
    const Core &core = node_->core();
    const Core::Issued &issued = core.issued();
    const auto at = run.pc & physicalMask & ~uint64_t{3};
    const std::function<uint64_t(unsigned)> before = [&core](unsigned reg) {
        return core.before(reg);
    };
    std::optional<uint64_t> accessed;
    if (memory::accesses(issued.step.kind))
        accessed = issued.step.address;
    const auto word = static_cast<uint32_t>(core.cpu().ram().get(at, 4));
    unwritten_->executed({run.pc, word, accessed, core.value(30), before});
    unwritten_->check(number_);
}

void WatchedNode::control(uint64_t what) {
    node_->core().disturb();
    if (!counters_.control(what))
        return;
    node_->core().forget();
    if (replay_)
        replay_->clear();
}

void WatchedNode::startCold(uint64_t address, unsigned parts) {
    node_->core().startCold(address & physicalMask);
    endsByHost_ = parts > 1;
}

/// Behind its tick: the caches are empty, and counting has begun anew.
void WatchedNode::coldStart() {
    node_->core().forget();
    if (replay_)
        replay_->clear();
}

void WatchedNode::probe(Probe *probe) {
    probe_ = probe;
    if (probe_)
        node_->core().watch();
}

void WatchedNode::dropCold() {
    replay_.reset();
    watches_ = log_ || trace_ || calls_;
}

void WatchedNode::checkHang(uint64_t now, uint64_t patience) {
    constexpr uint64_t retires = 5; // ticks after its issue, if nothing delays it
    if (exitCode(now) < 0 && now >= issued_ + retires + patience)
        hangs(number_, issued_ + retires, pc_, instructions_, node_->halted());
}

void WatchedNode::write(const std::string &folder) {
    if (log_)
        log_->write(folder, number_);
    if (span_)
        span_->close();
    if (spells_)
        spells_->write(folder, number_);
    if (misses_)
        misses_->write();
    if (evictions_)
        evictions_->write(folder, number_);
    if (trace_)
        trace_->write(folder);
    if (calls_)
        calls_->close();
    if (replay_)
        replay_->write(folder);
    if (exitCode(node_->now()))
        writeState(
            folder, number_, node_->core().cpu(),
            [this](uint64_t at) { return node_->core().seen(at); }, guard_ ? &*guard_ : nullptr,
            unwritten_.get());
    std::ofstream(folder + "/console." + std::to_string(number_) + ".txt", std::ios::binary)
        << console();
}

} // namespace mcpi::exact
