// SPDX-License-Identifier: BSD-2-Clause
#include "simulation.h"

#include <cinttypes>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "check/machine_state.h"
#include "link/pcap.h"
#include "testbed/hang.h"
#include "wave_options.h"

namespace mcpi {
namespace {

constexpr std::chrono::milliseconds progressInterval{400};
constexpr uint64_t lookTicks = 5000; // between looks at console, hangs and progress
constexpr uint64_t statusExited = 2, statusOwnersError = 4,
                   statusRefused = 64; // docs/reference/contracts.md 5

} // namespace

Simulation::Simulation(const Options &options)
    : options_(options), machine_(options.machine), info_(options.nodeJson),
      medium_(machine_, options), events_(options.passages), measurement_(options_, info_),
      window_(medium_.lookahead()) {
    options_.hangTicks = patience(options.hangTicks, machine_);
    for (unsigned n = 0; n < 2; ++n)
        m_[n].program = readProgram(machine_, options.nodes[n], n);
    for (const std::string &folder : {options.out, options.forkCold}) {
        std::error_code error;
        if (!folder.empty() && (std::filesystem::create_directories(folder, error), error))
            throw UserError(folder + ": " + error.message());
    }
}

void Simulation::prepare(unsigned number) {
    Machinery &m = m_[number];
    m.load(machine_, info_, options_, m.program, number);
    m.node->watch(m.program.markers);
    m.node->onMarker = [this, number](uint64_t tick, const Marker &marker) {
        events_.addMarker(tick, number, marker);
        if (number == 0)
            measurement_.marker(marker);
    };
    if (options_.oracle) {
        m.oracle = std::make_unique<Oracle>(machine_, info_, number, m.program.markers);
        m.node->oracle = m.oracle.get();
        if ((options_.cold || !options_.forkCold.empty()) && number == 0)
            m.oracle->keepTrace();
        m.oracle->instructionAt = [this, node = m.node.get()](uint64_t address) {
            uint32_t word = 0;
            for (unsigned i = 0; i < 4 && address < machine_.parameter("memory.size"); ++i)
                word |= uint32_t{node->backing.at(address + i)} << 8 * i;
            return word;
        };
    }
    if (const bool rows = options_.tickLog == static_cast<int>(number); rows || options_.passages) {
        m.log =
            std::make_unique<TickLog>(info_.owners, rows, options_.passages, options_.passagesOf);
        m.node->log = m.log.get();
    }
    if (options_.span.wanted()) {
        m.span = std::make_unique<SpanLog>(info_.owners, options_.span, options_.out, number);
        m.node->span = m.span.get();
    }
    if (options_.waves == static_cast<int>(number))
        m.node->wave({options_.out + "/waves.vcd", options_.waveScopes, options_.span});
    if (options_.trace == static_cast<int>(number)) {
        m.trace = std::make_unique<PathTrace>();
        m.node->trace = m.trace.get();
    }
    if (const std::string &places = options_.nodes[number].calls; !places.empty()) {
        m.calls = std::make_unique<CallLog>(places, options_.out, number);
        m.node->calls = m.calls.get();
    }
    if (const std::string &bounds = options_.nodes[number].guard; !bounds.empty()) {
        if (!m.lockstep)
            throw UserError("--node N:guard: wants --lockstep.");
        m.guard = std::make_unique<ProgramGuard>(bounds);
        m.node->guard = m.guard.get();
    }
    if (number == 0)
        m.node->onColdStart = [this] { measurement_.coldStart(); };
    m.counters =
        std::make_unique<LinkedCounters>(*m.link, info_, m.oracle.get(), options_.byRegisters);
    measurement_.attach(number, *m.counters, m.program.markers);
}

/// The run is over. What its ticks tell late is taken in: what the guests have printed, what memory
/// tells of the last tick, and, in ticks that are not the run's, what has issued retires.
void Simulation::settle() {
    collectFrames();
    for (auto &m : m_) {
        m.link->drain();
        m.console = m.link->console;
        m.issued = m.node->issued();
        m.node->end();
    }
    settled_ = true;
    const uint64_t end = now_;
    for (unsigned n = 0; n < 8; ++n) {
        now_ += window_;
        advance();
    }
    now_ = end;
}

/// The first error is the one to tell.
void Simulation::settleAfterFailure() {
    if (!now_ || !between_ || settled_)
        return;
    const uint64_t end = now_;
    try {
        settle();
    } catch (const RunError &) {
        now_ = end;
    }
}

/// Counters stand still, and what has issued has retired: hardware and oracles must agree.
void Simulation::consultOracles() {
    if (!options_.oracle)
        return;
    for (unsigned n = 0; n < 2; ++n) {
        m_[n].oracle->compare(now_ - 1, measurement_.counters[n]);
        std::fprintf(stderr, "oracle: node %u: %" PRIu64 " comparisons, no difference\n", n,
                     m_[n].oracle->compared);
    }
}

void Simulation::loop() {
    uint64_t looked = 0;
    while (!m_[0].node->exited() || !m_[1].node->exited()) {
        if (options_.maxTicks && now_ >= options_.maxTicks)
            throw RunError("gave up at tick " + std::to_string(now_) + " (--max-ticks).");
        // No nibble sent in these windows arrives in them: the nodes may run one after the other.
        const uint64_t windows = quietWindows() + 1;
        now_ += windows * window_;
        advance();
        measurement_.atBoundary();
        if (now_ - looked > lookTicks) {
            looked = now_;
            collectFrames();
            for (auto &m : m_)
                m.link->poll();
            if (options_.mode == Mode::gates)
                askWhetherOver();
            else
                for (auto &m : m_)
                    m.checkHang(info_, now_, options_.hangTicks);
            progress(false);
        }
    }
}

/// Both nodes up to `now_`.
void Simulation::advance() {
    between_ = false;
    for (unsigned n = 0; n < 2; ++n)
        m_[n].node->advance(now_, medium_.port(n));
    between_ = true;
}

/// Whole windows at whose end both nodes will still be quiet.
uint64_t Simulation::quietWindows() const {
    uint64_t ticks =
        std::min(m_[0].node->quietTicks(medium_.port(0)), m_[1].node->quietTicks(medium_.port(1)));
    if (options_.maxTicks)
        ticks = std::min(ticks, options_.maxTicks - now_ - 1);
    return ticks / window_;
}

/// Ask by the host link whether a netlist's run is over, as a host asks a board.
void Simulation::askWhetherOver() {
    for (auto &m : m_) {
        const uint64_t status = m.link->readRegister(info_.number("status"));
        if (status & statusExited)
            m.node->hasExited(status >> 8 & 0xFF);
    }
    measurement_.invocations = m_[0].link->readRegister(info_.number("invocations"));
}

void Simulation::collectFrames() {
    medium_.collect(events_, frames_);
}

void Simulation::progress(bool now) {
    const auto time = std::chrono::steady_clock::now();
    if (!now && time - said_ < progressInterval)
        return;
    said_ = time;
    std::fprintf(stderr, "progress %" PRIu64 " %" PRIu64 "\n", measurement_.invocations, now_);
    if (options_.live)
        measurement_.tell(now_, frames_.size());
}

void Simulation::run() {
    begun_ = said_ = std::chrono::steady_clock::now();
    try {
        for (unsigned n = 0; n < 2; ++n)
            prepare(n);
        measurement_.begin(m_[0].program.markers);
        for (auto &m : m_)
            m.start(info_);
        begun_ = std::chrono::steady_clock::now();
        loop();
        measurement_.end();
        settle();
        consultOracles();
    } catch (const Mismatch &) {
        writeFiles();
        throw;
    } catch (const RunError &) {
        for (auto &m : m_)
            if (m.lockstep)
                std::fputs(m.lockstep->recent().c_str(), stderr);
        std::fprintf(stderr, "again: %s\n", options_.reproduce.c_str());
        settleAfterFailure();
        writeFiles();
        throw;
    }
    progress(true);
    writeFiles();
    judge();
}

void Simulation::writeFiles() {
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun_;
    const std::string folder = options_.out + "/";
    if (!settled_)
        collectFrames();
    events_.write(options_.out);
    const auto leftOut =
        writePcap(folder + "wire.pcap", frames_, machine_.parameter("clock.ticks_per_us"));
    if (!measurement_.counters.empty())
        writeCounters(folder + "counters.json", info_, measurement_.counters);
    nlohmann::ordered_json run = {{"ticks", now_}, {"wall_seconds", wall.count()}};
    if (const auto wire = medium_.told(); !wire.is_null())
        run["wire"] = wire;
    run["exit_codes"] = nlohmann::ordered_json::array();
    run["instructions"] = nlohmann::ordered_json::array();
    run["simulated_clocks"] = nlohmann::ordered_json::array();
    run["frames"] = frames_.size();
    run["frames_not_in_pcap"] = leftOut;
    for (unsigned n = 0; n < 2; ++n) {
        if (!m_[n].node)
            continue;
        const Node &node = *m_[n].node;
        node.exited() ? run["exit_codes"].push_back(node.exitCode())
                      : run["exit_codes"].push_back(nullptr);
        run["instructions"].push_back(settled_ ? m_[n].issued : node.issued());
        run["simulated_clocks"].push_back(node.clocks());
        if (!settled_) {
            m_[n].link->poll();
            m_[n].console = m_[n].link->console;
        }
        if (m_[n].oracle && m_[n].oracle->replay)
            m_[n].oracle->replay->write(options_.out);
        if (m_[n].log)
            m_[n].log->write(options_.out, n);
        if (m_[n].span)
            m_[n].span->close();
        m_[n].node->endWaves();
        if (m_[n].trace)
            m_[n].trace->write(options_.out);
        if (m_[n].calls)
            m_[n].calls->close();
        if (m_[n].lockstep && (!node.exited() || node.exitCode()))
            writeState(
                options_.out, n, m_[n].lockstep->cpu(),
                [&cpu = m_[n].lockstep->cpu()](uint64_t at) { return cpu.ram().get(at, 8); },
                m_[n].guard.get());
        std::ofstream(folder + "console." + std::to_string(n) + ".txt", std::ios::binary)
            << m_[n].console;
    }
    if (options_.oracle) {
        nlohmann::ordered_json numbers = nlohmann::ordered_json::array();
        for (const auto &m : m_)
            numbers.push_back(m.oracle ? m.oracle->numbers : decltype(m.oracle->numbers)());
        std::ofstream(folder + "oracle.json") << numbers.dump(1) << '\n';
    }
    std::ofstream(folder + "run.json") << run.dump(1) << '\n';
    std::fprintf(stderr, "%" PRIu64 " ticks in %.2f s: %.0f ticks a second\n", now_, wall.count(),
                 static_cast<double>(now_) / wall.count());
}

void Simulation::judge() const {
    for (unsigned n = 0; n < 2; ++n) {
        const std::string who = "node " + std::to_string(n);
        if (m_[n].node->exitCode())
            throw RunError(who + " ended with exit code " + std::to_string(m_[n].node->exitCode()) +
                           "; see console." + std::to_string(n) + ".txt.");
        const uint64_t status = m_[n].link->readRegister(info_.number("status"));
        if (status & statusRefused)
            throw RunError(who + ": a host register that is set before a run was written in it.");
        if (status & statusOwnersError)
            throw RunError(who + ": owners error: the owners' ticks do not sum up to ticks.");
    }
}

} // namespace mcpi
