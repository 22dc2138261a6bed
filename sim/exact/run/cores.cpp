// SPDX-License-Identifier: BSD-2-Clause
#include "cores.h"

#include <algorithm>
#include <filesystem>

#include "base/bootparams.h"
#include "base/error.h"
#include "testbed/hang.h"
#include "tick_row.h"

namespace mcpi::exact {
namespace {

constexpr uint64_t lookTicks = 100'000; // between looks at hangs
NodeSetting setting(const Machine &m, const CoresOptions &o) {
    NodeSetting s;
    s.timerPhase = o.node.phase ? o.node.phase : 1 + phaseFromSeed(o.seed, 0, m.timerPeriod());
    s.station = bootFields(m, 0, o.node.boot).at("mac");
    return s;
}

} // namespace

Port &silent() {
    static Silent wire;
    return wire;
}

std::unique_ptr<CoherentNode> reset(const Machine &machine, const CoresOptions &options,
                                    MarkerTable &markers) {
    if (machine.has("memory.ideal") && machine.parameter("memory.ideal"))
        throw UserError("memory.ideal = on: mcpi-exact has no ideal memory with bcache.private.");
    const Program program = readProgram(machine, options.node, 0);
    comparators(program, CounterBanks::info(machine), 0);
    auto node = std::make_unique<CoherentNode>(machine, setting(machine, options));
    for (const auto &segment : program.segments)
        node->place(segment);
    node->reset();
    markers = MarkerTable(program.markers);
    return node;
}

Cores::Cores(const CoresOptions &options)
    : options_(options), machine_(options.machine), info_(CounterBanks::info(machine_)),
      markers_(std::vector<Marker>()), node_(reset(machine_, options, markers_)),
      standstill_(node_->cores(), machine_.timerPeriod()) {
    for (unsigned n = 0; n < node_->cores(); ++n)
        counters_.emplace_back(machine_);
    issued_.resize(node_->cores());
    if (options_.out.empty()) {
        watch();
        return;
    }
    std::error_code error;
    if (std::filesystem::create_directories(options_.out, error), error)
        throw UserError(options_.out + ": " + error.message());
    for (unsigned n = 0; options_.ticks && n < node_->cores(); ++n) {
        ticks_.emplace_back(options_.out + "/ticks." + std::to_string(n) + ".csv");
        ticks_.back() << "tick,count,owner,pc,cause,events\n";
    }
    if (options_.history)
        history_.emplace(options_.out + "/history.csv", machine_.parameter("cache.block"));
    if (!options_.take.empty())
        locks_.emplace(options_.take, options_.release, node_->cores());
    if (options_.logs.wanted())
        logs_.emplace(info_.owners, node_->cores(), options_.logs, options_.out);
    if (!options_.span.empty()) {
        if (options_.span.size() != 2 || options_.spanOf >= node_->cores())
            throw UserError(
                "--span FROM:UNTIL wants two ticks, and --span-of a core that is there.");
        const Span span{options_.span[0], options_.span[1]};
        span_.emplace(info_.owners, span, options_.out, options_.spanOf);
        node_->core(options_.spanOf).watch();
    }
    watch();
}

/// Takers of what the cores do while they glide.
void Cores::watch() {
    for (unsigned n = 0; n < node_->cores(); ++n) {
        watch_.stops.push_back(locks_ ? locks_->stops(n) : Stops());
        watch_.stops.back().markers = &markers_;
    }
    watch_.tallies.resize(node_->cores());
    watch_.runs.resize(node_->cores());
    watch_.taker = [this](const TickRun &run) { observe(run); };
    watch_.counters = ticks_.empty() && !logs_ ? &counters_ : nullptr;
    node_->watchedBy(&watch_);
}

/// Take over what the core has done since, while it glided.
void Cores::collect(unsigned n) {
    if (Tally &one = watch_.tallies[n]; one.instructions) {
        issued_[n] = {one.last, one.pc, issued_[n].instructions + one.instructions};
        one.instructions = 0;
    }
}

void Cores::collect() {
    for (unsigned n = 0; n < watch_.tallies.size(); ++n)
        collect(n);
}

unsigned Cores::run() {
    uint64_t looked = 0;
    try {
        while (!node_->system().exited) {
            if (node_->halted())
                throw RunError("all cores have halted at tick " + std::to_string(node_->now()) +
                               ".");
            if (options_.maxTicks && node_->now() >= options_.maxTicks)
                throw RunError("gave up at tick " + std::to_string(node_->now()) +
                               " (--max-ticks); " + where() + ".");
            const uint64_t until = this->until();
            if (!due_ && !steps())
                node_->glide(until);
            const uint64_t before = node_->now();
            for (const TickRun &run : node_->step(silent(), until))
                observe(run);
            if (history_ && node_->now() != before && node_->now() != until)
                history_->tick(*node_);
            if (due_ && node_->now() == until)
                control(std::exchange(due_, 0));
            if (node_->now() == standstill_.next())
                look();
            if (node_->now() < looked + lookTicks)
                continue;
            looked = node_->now();
            if (logs_)
                logs_->settle(looked - lookTicks);
            checkHang();
        }
    } catch (const RunError &) {
        writeFiles();
        throw;
    }
    writeFiles();
    return node_->system().exitCode;
}

/// All cores are to run to this tick, and none beyond it.
uint64_t Cores::until() const {
    if (due_)
        return node_->now();
    const uint64_t most = options_.maxTicks ? options_.maxTicks : memory::never - 1;
    return std::min(most, standstill_.next());
}

/// A span of `standstill_` begins or ends.
void Cores::look() {
    node_->disturb();
    for (const TickRun &run : node_->step(silent(), node_->now())) // of cores that lag
        observe(run);
    if (standstill_.at())
        throw RunError("no core can go on at tick " + std::to_string(node_->now()) + "; " +
                       where() + ".");
}

void Cores::observe(const TickRun &run) {
    Issued &last = issued_[run.core];
    if (run.owner == Owner::issue) {
        collect(run.core);
        last = {run.tick, run.pc, last.instructions + 1};
        if (locks_) {
            const auto &r = node_->core(run.core).cpu().r;
            locks_->issues(run.core, run.tick, run.pc, r[16], r[26]);
        }
        if (const auto *found = markers_.at(run.pc))
            for (const Marker &one : *found)
                marker(run.core, run.tick, one);
        if (standstill_.looks()) {
            const alpha::Cpu &cpu = node_->core(run.core).cpu();
            const uint64_t at = run.pc & physicalMask & ~uint64_t{3};
            standstill_.executed(run.core, run.pc, static_cast<uint32_t>(cpu.ram().get(at, 4)),
                                 node_->core(run.core).accessing(), cpu.r);
        }
    }
    counters_[run.core].tick(run);
    if (logs_)
        logs_->tick(run.core, run.tick, static_cast<unsigned>(run.owner), run.pc, run.count,
                    run.events, run.again);
    if (span_ && run.core == options_.spanOf && span_->wants(run.tick, run.count))
        logSpan(run);
    if (!ticks_.empty())
        writeTickRow(ticks_[run.core], run, true);
}

void Cores::logSpan(const TickRun &run) {
    const uint64_t row = run.owner == Owner::idle ? run.count : 1;
    for (uint64_t n = 0; n < run.count; n += row) {
        span_->tick(run.tick + n, static_cast<unsigned>(run.owner), run.pc & physicalMask, row);
        for (const Event event : loggedEvents)
            for (const Events events : {run.events, run.again})
                span_->event(events & bit(event), event);
    }
    const Core::Issued &issued = node_->core(run.core).issued();
    if (run.owner == Owner::issue && !(run.pc & 1) && memory::accesses(issued.step.kind))
        span_->access(span_->issues() - 1, issued.stores, issued.address);
}

/// Core 0's markers say when all are measured.
void Cores::marker(unsigned core, uint64_t tick, const Marker &m) {
    if (logs_)
        logs_->marker(core, tick, m);
    if (m.action != actionEvent)
        return counters_[core].marker(m);
    if (core)
        return;
    if (m.window == eventMeasureStart)
        due_ |= countersClear | countersArm;
    if (m.window == eventMeasureEnd)
        due_ |= countersSnapshot;
}

/// Between two ticks, on all cores.
void Cores::control(uint64_t what) {
    if (what & countersClear) {
        busFrom_ = node_->counts();
        from_ = node_->now();
        if (locks_)
            locks_->clear();
    }
    if (what & countersSnapshot) {
        bus_ = node_->counts();
        to_ = node_->now();
    }
    node_->disturb();
    for (unsigned n = 0; n < counters_.size(); ++n)
        if (counters_[n].control(what))
            node_->core(n).forget();
    if (what & countersSnapshot) {
        copies_.clear();
        for (const CounterBanks &one : counters_)
            copies_.push_back(one.copy());
        if (locks_ && !options_.out.empty())
            locks_->write(options_.out + "/locks.json");
    }
}

/// The last instruction of each core, and its register 26; if the core spins, the instruction lies
/// in the loop that waits, and the register often says who called.
std::string Cores::where() {
    collect();
    std::string said;
    for (unsigned n = 0; n < issued_.size(); ++n)
        said += text("%score %u at pc %" PRIx64 " ra %" PRIx64, n ? ", " : "", n, issued_[n].pc,
                     node_->core(n).cpu().r[26]);
    return said;
}

/// A core that has not halted and issues nothing. One that spins issues: --max-ticks ends that.
void Cores::checkHang() {
    collect();
    for (unsigned n = 0; n < issued_.size(); ++n)
        if (!node_->core(n).halted() && node_->now() > issued_[n].tick + options_.hangTicks)
            hangs(0, issued_[n].tick, issued_[n].pc, issued_[n].instructions, false);
}

void Cores::writeFiles() {
    if (options_.out.empty())
        return;
    for (const TickRun &run : node_->step(silent(), node_->now())) // of cores that lag
        observe(run);
    collect();
    if (logs_)
        logs_->write();
    if (span_)
        span_->close();
    if (copies_.empty()) { // no markers: the whole run
        for (CounterBanks &one : counters_)
            copies_.push_back(one.now());
        bus_ = node_->counts();
        to_ = node_->now();
        if (locks_)
            locks_->write(options_.out + "/locks.json");
    }
    writeCounters();
    std::ofstream(options_.out + "/console.txt", std::ios::binary) << console();
}

} // namespace mcpi::exact
