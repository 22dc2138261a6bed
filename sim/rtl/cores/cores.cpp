// SPDX-License-Identifier: BSD-2-Clause
#include "cores.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "host/counters.h"
#include "rtl/node_init.h"
#include "testbed/hang.h"

namespace mcpi::cores {
namespace {

constexpr uint64_t statusOwnersError = 4; // docs/reference/contracts.md 5
constexpr const char *busCounters[] = {"snoop.requests", "snoop.data_ticks", "snoop.busy_ticks"};
constexpr uint64_t lookTicks = 5000;     // between looks at the console and at hangs
constexpr unsigned retireTicks = 20'000; // more than an instruction needs from issue on
constexpr unsigned consoleClocks = 2000; // in which what was printed has come out

} // namespace

Cores::Cores(const CoresOptions &options)
    : options_(options), machine_(options.machine), info_(options.nodeJson),
      program_(readProgram(machine_, options.node, 0)), markers_(program_.markers),
      registers_(info_.cores), standstill_(info_.cores, machine_.timerPeriod()) {
    if (machine_.parameter("memory.ideal"))
        throw UserError("memory.ideal = on: a node with bcache.private has no ideal memory.");
    node_ = std::make_unique<CoherentRtl>(info_, machine_.parameter("memory.size"), options.latency,
                                          options.withholdPercent);
    link_ = std::make_unique<HostLink>(*node_);
    owner_ = node_->field("events.owner");
    pc_ = node_->field("events.issuePc");
    halted_ = node_->field("halted");
    busWait_ = node_->field("events.coherent.busWait");
    const std::string retired = "retire.retired.";
    retired_ = {node_->field(retired + "valid"),
                node_->field(retired + "payload.pc"),
                node_->field(retired + "payload.instruction"),
                node_->field(retired + "payload.writes"),
                node_->field(retired + "payload.register"),
                node_->field(retired + "payload.value"),
                node_->field(retired + "payload.io")};
    link_->ping();
    loadProgram(program_, node_->backing, *link_, false);
    writeRegisters(machine_, info_, options.node, options.seed, 0, program_, *link_);
    program_.segments.clear();
    issued_.resize(info_.cores);
    if (options_.out.empty())
        return;
    std::error_code error;
    if (std::filesystem::create_directories(options_.out, error), error)
        throw UserError(options_.out + ": " + error.message());
    for (unsigned n = 0; options_.ticks && n < info_.cores; ++n)
        ticks_.push_back(std::make_unique<CoreTicks>(*node_, info_, n, options_.out));
    if (options_.logs.wanted()) {
        const std::vector<std::string> owners(ownerNames.begin(), ownerNames.end());
        logs_.emplace(owners, info_.cores, options_.logs, options_.out);
        for (const bool ofCore : {true, false})
            for (const TracedEvent &one : tracedEvents(info_, ofCore))
                events_.push_back(one);
    }
    if (options_.history)
        history_ = std::make_unique<History>(*node_, info_, machine_, options_.out);
}

unsigned Cores::run() {
    control(countersClear | countersArm);
    link_->writeRegister(info_.number("run"), 1);
    try {
        runTick();
    } catch (const RunError &) {
        writeFiles();
        throw;
    }
    writeFiles();
    return exitCode_;
}

void Cores::runTick() {
    while (!node_->exits()) {
        if (options_.maxTicks && node_->ticks() >= options_.maxTicks)
            throw RunError("gave up at tick " + std::to_string(node_->ticks()) +
                           " (--max-ticks); " + where() + ".");
        node_->tick();
        if (observe())
            throw RunError("all cores have halted at tick " + std::to_string(node_->ticks()) + ".");
        if (due_)
            control(std::exchange(due_, 0));
        if (node_->ticks() == standstill_.next())
            look();
        if (node_->ticks() % lookTicks)
            continue;
        link_->poll();
        if (logs_)
            logs_->settle(node_->ticks());
        checkHang();
    }
}

/// Observes the last tick; returns whether all cores have halted.
bool Cores::observe() {
    if (history_)
        history_->tick();
    bool halted = true;
    for (unsigned n = 0; n < info_.cores; ++n) {
        observe(n);
        halted &= node_->value(n, halted_) != 0;
    }
    return halted;
}

void Cores::observe(unsigned core) {
    const auto owner = static_cast<unsigned>(node_->value(core, owner_));
    if (owner == static_cast<unsigned>(Owner::issue)) {
        Issued &last = issued_[core];
        last = {node_->tracedTick(), node_->value(core, pc_), last.instructions + 1};
        if (const auto *found = markers_.at(last.pc))
            for (const Marker &one : *found) {
                if (logs_)
                    logs_->marker(core, last.tick, one);
                if (!core)
                    marker(one);
            }
    }
    if (logs_)
        log(core, owner, issued_[core].pc);
    if (node_->value(core, retired_.valid))
        retired(core);
    if (!ticks_.empty())
        ticks_[core]->tick(*node_);
}

void Cores::log(unsigned core, unsigned owner, uint64_t pc) {
    const uint32_t *const trace = node_->trace(core);
    const bool waits = traced(trace, busWait_);
    Events events = 0;
    for (const TracedEvent &one : events_)
        events |= one.counts(trace) ? bit(one.event) : 0;
    logs_->tick(core, node_->tracedTick(), waits ? static_cast<unsigned>(Owner::busWait) : owner,
                pc, 1, events, 0);
}

/// Tell `standstill_` what a core has executed.
void Cores::retired(unsigned core) {
    Standstill::Registers &registers = registers_[core];
    const auto get = [&](CoherentRtl::Bits bits) { return node_->value(core, bits); };
    if (get(retired_.writes))
        registers[get(retired_.reg)] = get(retired_.value);
    standstill_.executed(core, get(retired_.pc), static_cast<uint32_t>(get(retired_.instruction)),
                         get(retired_.io) != 0, registers);
}

/// A span of `standstill_` begins or ends.
void Cores::look() {
    if (standstill_.at())
        throw RunError("no core can go on at tick " + std::to_string(node_->ticks()) + "; " +
                       where() + ".");
}

/// Core 0's say when all are measured.
void Cores::marker(const Marker &m) {
    if (m.action == actionEvent && m.window == eventMeasureStart)
        due_ |= countersClear | countersArm;
    if (m.action == actionEvent && m.window == eventMeasureEnd)
        due_ |= countersSnapshot;
}

/// Between two ticks, on all cores.
void Cores::control(uint64_t what) {
    controlCounters(*link_, info_, what);
    if (what & countersClear)
        from_ = node_->ticks();
    if (what & countersSnapshot)
        copy();
}

void Cores::copy() {
    copied_ = true;
    to_ = node_->ticks();
    counters_.clear();
    for (unsigned n = 0; n < info_.cores; ++n)
        counters_.push_back(readCounters(*link_, info_, n));
    bus_.clear();
    for (const char *name : busCounters)
        bus_.push_back(link_->readRegister(info_.number(std::string("snapshot.machine.") + name)));
    if (link_->readRegister(info_.number("status")) & statusOwnersError)
        throw RunError("owners error: the owners' ticks do not sum up to ticks.");
}

/// The last instruction of each core, and its register 26; if the core spins, the instruction lies
/// in the loop that waits, and the register often says who called.
std::string Cores::where() const {
    std::string said;
    for (unsigned n = 0; n < issued_.size(); ++n)
        said += text("%score %u at pc %" PRIx64 " ra %" PRIx64, n ? ", " : "", n, issued_[n].pc,
                     registers_[n][26]);
    return said;
}

/// A core that has not halted and issues nothing. One that spins issues: --max-ticks ends that.
void Cores::checkHang() const {
    for (unsigned n = 0; n < issued_.size(); ++n)
        if (!node_->value(n, halted_) && node_->ticks() > issued_[n].tick + options_.hangTicks)
            hangs(0, issued_[n].tick, issued_[n].pc, issued_[n].instructions, false);
}

void Cores::writeCounters() const {
    nlohmann::ordered_json json = {{"ticks", to_ - from_}};
    for (unsigned n = 0; n < bus_.size(); ++n)
        json["machine"][busCounters[n]] = bus_[n];
    json["cores"] = nlohmann::ordered_json::array();
    for (const Counters &c : counters_) {
        auto &core = json["cores"].emplace_back();
        core = {{"all", c.all}, {"path", c.path}};
        for (unsigned window = 2; window <= info_.windows.size(); ++window)
            core["windows"][info_.windows[window - 1]] = c.windows.of(info_, window);
    }
    std::ofstream(options_.out + "/counters.json") << json.dump(1) << '\n';
}

/// Retire the instructions that have issued, some ticks after the end.
void Cores::endHistory() {
    history_->end(end_);
    for (unsigned n = 0; n < retireTicks && history_->waits(); ++n) {
        node_->tick();
        history_->tick();
    }
    history_->close();
}

void Cores::writeFiles() {
    end_ = node_->ticks();
    exitCode_ = node_->exitCode();
    if (!copied_) // no markers: the whole run
        control(countersFreeze | countersSnapshot);
    for (unsigned n = 0; n < consoleClocks; ++n)
        node_->idle();
    link_->poll();
    if (options_.out.empty())
        return;
    writeCounters();
    if (logs_)
        logs_->write();
    for (const auto &one : ticks_)
        one->close();
    nlohmann::ordered_json json = {{"ticks", end_}, {"exit_code", exitCode_}};
    for (const Issued &one : issued_)
        json["instructions"].push_back(one.instructions);
    std::ofstream(options_.out + "/run.json") << json.dump(1) << '\n';
    std::ofstream(options_.out + "/console.txt", std::ios::binary) << console();
    if (history_)
        endHistory();
}

} // namespace mcpi::cores
