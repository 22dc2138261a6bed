// SPDX-License-Identifier: BSD-2-Clause
#include "cores.h"

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
      markers_(std::vector<Marker>()), node_(reset(machine_, options, markers_)) {
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
    watch_.counters = ticks_.empty() ? &counters_ : nullptr;
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
            const uint64_t until = due_                ? node_->now()
                                   : options_.maxTicks ? options_.maxTicks
                                                       : memory::never - 1;
            if (!due_ && !history_)
                node_->glide(until);
            const uint64_t before = node_->now();
            for (const TickRun &run : node_->step(silent(), until))
                observe(run);
            if (history_ && node_->now() != before && node_->now() != until)
                history_->tick(*node_);
            if (due_ && node_->now() == until)
                control(std::exchange(due_, 0));
            if (node_->now() < looked + lookTicks)
                continue;
            looked = node_->now();
            checkHang();
        }
    } catch (const RunError &) {
        writeFiles();
        throw;
    }
    writeFiles();
    return node_->system().exitCode;
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
    }
    counters_[run.core].tick(run);
    if (!ticks_.empty())
        writeTickRow(ticks_[run.core], run, true);
}

/// Core 0's markers say when all are measured.
void Cores::marker(unsigned core, uint64_t, const Marker &m) {
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

/// The last instruction of each core; if the core spins, it lies in the loop that waits.
std::string Cores::where() {
    collect();
    std::string said;
    for (unsigned n = 0; n < issued_.size(); ++n)
        said += text("%score %u at pc %" PRIx64, n ? ", " : "", n, issued_[n].pc);
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
