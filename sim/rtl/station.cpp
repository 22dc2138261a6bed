// SPDX-License-Identifier: BSD-2-Clause
#include "station.h"

#include <fstream>

#include "base/error.h"
#include "check/machine_state.h"
#include "host/counters.h"
#include "log/gzip.h"
#include "node_init.h"
#include "testbed/hang.h"
#include "wave_options.h"

namespace mcpi {
namespace {

constexpr uint64_t statusEnded = 32; // docs/reference/contracts.md 5

} // namespace

NodeConfig nodeConfig(const Machine &machine, const NodeInfo &info, const Options &options,
                      unsigned number) {
    NodeConfig config;
    config.number = number;
    config.ramBytes = machine.parameter("memory.size");
    config.backingBytes = options.backingBytes ? options.backingBytes : config.ramBytes;
    config.pageBytes = options.pageBytes;
    config.latency = options.latency;
    config.latency.seed += number;
    config.withholdPercent = options.withholdPercent;
    config.exitAddress = machine.base("io", "system") + machine.offset("system", "console_exit");
    config.info = info;
    return config;
}

RtlStation::RtlStation(const Machine &machine, const NodeInfo &info, const Options &options,
                       unsigned number)
    : machine_(machine), info_(info), number_(number), byRegisters_(options.byRegisters),
      program_(readProgram(machine, options.nodes[number], number)),
      node_(nodeConfig(machine, info, options, number)), link_(node_) {
    link_.ping();
    loadProgram(program_, node_.backing, link_, options.loadByLink);
    writeRegisters(machine, info, options.nodes[number], options.seed, number, program_, link_);
    node_.skipping = !options.noSkip;
    if (!options.lockstep)
        return;
    lockstep_ = std::make_unique<Lockstep>(machine, number, options.reproduce);
    for (const auto &s : program_.segments)
        lockstep_->place(s);
    lockstep_->start();
    node_.lockstep = lockstep_.get();
}

void RtlStation::watch(const Options &options) {
    const auto chosen = [this](int node) { return node == static_cast<int>(number_); };
    node_.watch(program_.markers);
    node_.onMarker = [this](uint64_t tick, const Marker &marker) {
        observer->marker(number_, tick, marker);
    };
    node_.onColdStart = [this] { observer->coldStart(number_); };
    if (options.oracle) {
        oracle_ = std::make_unique<Oracle>(machine_, info_, number_, program_.markers);
        node_.oracle = oracle_.get();
        if ((options.cold || !options.forkCold.empty()) && number_ == 0)
            oracle_->keepTrace();
        oracle_->instructionAt = [this](uint64_t address) {
            uint32_t word = 0;
            for (unsigned i = 0; i < 4 && address < machine_.parameter("memory.size"); ++i)
                word |= uint32_t{node_.backing.at(address + i)} << 8 * i;
            return word;
        };
    }
    if (const bool rows = chosen(options.tickLog); rows || options.passages) {
        log_ = std::make_unique<TickLog>(info_.owners, rows, options.passages, options.passagesOf,
                                         options.out);
        node_.log = log_.get();
    }
    if (options.span.wanted()) {
        span_ = std::make_unique<SpanLog>(info_.owners, options.span, options.out, number_);
        node_.span = span_.get();
    }
    if (options.spells) {
        spells_ =
            std::make_unique<SpellLog>(info_.owners, options.out, number_, packs(options.compress));
        node_.spells = spells_.get();
    }
    if (chosen(options.waves))
        node_.wave({options.out + "/waves.vcd", options.waveScopes, options.span});
    if (chosen(options.trace)) {
        trace_ = std::make_unique<PathTrace>();
        node_.trace = trace_.get();
    }
    if (const std::string &places = options.nodes[number_].calls; !places.empty()) {
        calls_ = std::make_unique<CallLog>(places, options.out, number_);
        node_.calls = calls_.get();
    }
    if (!options.nodes[number_].unwritten.empty())
        throw UserError("--node N:unwritten: mcpi-exact alone follows what nobody has written.");
    if (const std::string &bounds = options.nodes[number_].guard; !bounds.empty()) {
        if (!lockstep_)
            throw UserError("--node N:guard: wants --lockstep.");
        guard_ = std::make_unique<ProgramGuard>(bounds);
        node_.guard = guard_.get();
    }
}

void RtlStation::end() {
    link_.drain();
    console_ = link_.console;
    issued_ = node_.issued();
    node_.end();
    ended_ = true;
}

void RtlStation::checkHang(uint64_t now, uint64_t patience) {
    if (node_.exited() || now - node_.lastRetirement() < patience)
        return;
    hangs(number_, node_.lastRetirement(), node_.lastPc(), node_.instructions(),
          readRegister("status") & 1);
}

const std::string &RtlStation::console() {
    if (ended_)
        return console_;
    link_.poll();
    return link_.console;
}

void RtlStation::write(const std::string &folder) {
    const std::string text = console();
    if (oracle_ && oracle_->replay)
        oracle_->replay->write(folder);
    if (log_)
        log_->write(folder, number_);
    if (span_)
        span_->close();
    if (spells_)
        spells_->write(folder, number_);
    node_.endWaves();
    if (trace_)
        trace_->write(folder);
    if (calls_)
        calls_->close();
    if (lockstep_ && (!node_.exited() || node_.exitCode()))
        writeState(
            folder, number_, lockstep_->cpu(),
            [&cpu = lockstep_->cpu()](uint64_t at) { return cpu.ram().get(at, 8); }, guard_.get());
    std::ofstream(folder + "/console." + std::to_string(number_) + ".txt", std::ios::binary)
        << text;
}

void RtlStation::control(uint64_t what) {
    controlCounters(link_, info_, what);
    if (oracle_)
        oracle_->control(what);
}

void RtlStation::startCold(uint64_t address, unsigned parts) {
    link_.writeRegister(info_.number("cold_address"), address);
    link_.writeRegister(info_.number("cold_number"), 1); // nothing has issued at address 0
    if (parts > 1 && oracle_)
        oracle_->coldEndsByHost();
}

Counters RtlStation::copy() {
    Counters counters = readCounters(link_, info_);
    if (byRegisters_ && !(readRegister("status") & statusEnded))
        throw RunError("the invocations that measure_to counts did not come.");
    return counters;
}

Counters RtlStation::now() {
    controlCounters(link_, info_, countersSnapshot);
    return readCounters(link_, info_);
}

void RtlStation::dropCold() {
    if (oracle_)
        oracle_->replay.reset();
}

} // namespace mcpi
