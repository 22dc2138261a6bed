// SPDX-License-Identifier: BSD-2-Clause
#include "simulation.h"

#include <algorithm>
#include <cinttypes>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"
#include "identities.h"
#include "pcap.h"

namespace mcpi {
namespace {

constexpr std::chrono::milliseconds progressInterval{400};
constexpr uint64_t lookTicks = 5000; // between looks at console, hangs and progress
constexpr uint64_t statusExited = 2, statusOwnersError = 4,
                   statusRefused = 64; // docs/contracts.md 5

} // namespace

Simulation::Simulation(const Options &options)
    : options_(options), machine_(options.machine), info_(options.nodeJson),
      medium_(machine_, options), window_(medium_.lookahead()) {
    for (unsigned n = 0; n < 2; ++n)
        m_[n].program = readProgram(machine_, options, n);
    for (const std::string &folder : {options.out, options.coldBeside}) {
        std::error_code error;
        if (!folder.empty() && (std::filesystem::create_directories(folder, error), error))
            throw UserError(folder + ": " + error.message());
    }
}

void Simulation::prepare(unsigned number) {
    Machinery &m = m_[number];
    NodeConfig config;
    config.number = number;
    config.ramBytes = machine_.parameter("memory.size");
    config.backingBytes = options_.backingBytes ? options_.backingBytes : config.ramBytes;
    config.pageBytes = options_.pageBytes;
    config.latency = options_.latency;
    config.latency.seed += number;
    config.exitAddress = machine_.base("io", "system") + machine_.offset("system", "console_exit");
    m.node = std::make_unique<Node>(config);
    m.link = std::make_unique<HostLink>(*m.node);
    m.link->ping();
    loadProgram(m.program, *m.node, *m.link, options_.loadByLink);
    writeRegisters(machine_, info_, options_, number, m.program, *m.link);
    m.node->skipping = !options_.noSkip;
    m.node->watch(m.program.markers);
    m.node->onMarker = [this, number](uint64_t tick, const Marker &marker_) {
        marker(number, tick, marker_);
    };
    if (options_.oracle) {
        m.oracle = std::make_unique<Oracle>(machine_, info_, number, m.program.markers);
        m.node->oracle = m.oracle.get();
        if ((options_.cold || !options_.coldBeside.empty()) && number == 0)
            m.oracle->keepTrace();
        if (options_.record)
            m.oracle->record();
        m.oracle->instructionAt = [this, node = m.node.get()](uint64_t address) {
            uint32_t word = 0;
            for (unsigned i = 0; i < 4 && address < machine_.parameter("memory.size"); ++i)
                word |= uint32_t{node->backing.at(address + i)} << 8 * i;
            return word;
        };
    }
    if (options_.tickLog == static_cast<int>(number)) {
        m.log = std::make_unique<TickLog>(info_.owners);
        m.node->log = m.log.get();
    }
    if (options_.trace == static_cast<int>(number)) {
        m.trace = std::make_unique<PathTrace>();
        m.node->trace = m.trace.get();
    }
    const auto &markers = m.program.markers;
    const auto opens = [](const Marker &marker) { return marker.action == actionOpen; };
    if (number == 0 && std::count_if(markers.begin(), markers.end(), opens) == 1)
        parts_.onePart(std::find_if(markers.begin(), markers.end(), opens)->address);
    if (number == 0)
        m.node->onColdStart = [this] { coldAt_ = opened_; };
    if (options_.lockstep) {
        m.lockstep = std::make_unique<Lockstep>(machine_, number, options_.reproduce);
        for (const auto &s : m.program.segments)
            m.lockstep->place(s);
        m.lockstep->start();
        m.node->lockstep = m.lockstep.get();
    }
}

void Simulation::marker(unsigned number, uint64_t tick, const Marker &marker) {
    events_.addMarker(tick, number, marker);
    if (number != 0)
        return;
    if (marker.action == actionInvocation)
        ++invocations_;
    parts_.marker(marker);
    if (marker.action == actionOpen)
        ++opened_;
    if (marker.action == actionOpen || marker.action == actionClose)
        inWindow_ = marker.action == actionOpen;
    // The hardware copies its counters where the window closes first; later parts are the host's.
    if (coldAt_ && parts_.ended() && parts_.count() > 1 && !coldEnded_) {
        coldEnded_ = true; // stands until the boundary, whatever else was asked for
        pendingControl_ = countersFreeze | countersSnapshot;
    }
    if (marker.action != actionEvent)
        return;
    if (options_.byRegisters)
        return;
    if (marker.window == eventMeasureStart)
        pendingControl_ = countersClear | countersArm;
    if (marker.window == eventMeasureEnd)
        pendingControl_ = countersFreeze;
}

/// Both nodes stand at the same tick and virtual time stands still. Counters change between two
/// invocations of node 0's path, so that they hold whole ones; node 1's are whole then too, because
/// a frame is under way.
void Simulation::atBoundary() {
    if (!pendingControl_ || inWindow_)
        return;
    for (auto &m : m_) {
        const bool others = pendingControl_ & countersSnapshot && &m != &m_[0];
        if (!options_.cold || (pendingControl_ != countersFreeze && !others))
            control(m, pendingControl_);
    }
    if (pendingControl_ == (countersClear | countersArm)) {
        if (!options_.coldBeside.empty())
            partFromCold();
        if (options_.cold)
            startCold();
    }
    pendingControl_ = 0;
}

/// Up to here this run and the cold one are the same. A copy of the process goes on as that one, to
/// its end; then this goes on.
void Simulation::partFromCold() {
    const pid_t child = fork();
    if (child < 0)
        throw RunError("--cold-beside: the system gives no second process.");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); // ^C ends both
        options_.out = std::exchange(options_.coldBeside, {});
        options_.cold = true;
        for (auto &m : m_)
            if (m.oracle)
                m.oracle->recording.reset();
        return;
    }
    options_.coldBeside.clear();
    if (m_[0].oracle)
        m_[0].oracle->replay.reset();
    int status = 0;
    if (waitpid(child, &status, 0) != child || status)
        throw RunError("--cold-beside: the cold run failed, for the reason above.");
}

void Simulation::control(Machinery &m, uint64_t what) {
    controlCounters(*m.link, info_, what);
    if (m.oracle)
        m.oracle->control(what);
}

/// Counters stand still; what has issued retires, then hardware and oracles must agree.
void Simulation::consultOracles() {
    if (!options_.oracle)
        return;
    const uint64_t end = now_;
    for (unsigned n = 0; n < 8; ++n) {
        now_ += window_;
        advance();
    }
    for (unsigned n = 0; n < 2; ++n) {
        m_[n].oracle->compare(end - 1, counters_[n]);
        std::fprintf(stderr, "oracle: node %u: %" PRIu64 " comparisons, no difference\n", n,
                     m_[n].oracle->compared);
    }
    now_ = end;
}

/// The next invocation of node 0's path is the cold one: hardware does it, and copies the counters
/// where the window closes first.
void Simulation::startCold() {
    if (!parts_.count())
        throw RunError(
            "--cold: node 0's window opens in several places and no whole invocation has "
            "passed before the measurement; give it two round trips of warm-up.");
    coldWanted_ = opened_;
    m_[0].link->writeRegister(info_.number("cold_address"), parts_.begin());
    m_[0].link->writeRegister(info_.number("cold_number"), 1); // nothing has issued at address 0
    if (parts_.count() > 1 && m_[0].oracle)
        m_[0].oracle->coldEndsByHost();
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
        atBoundary();
        if (now_ - looked > lookTicks) {
            looked = now_;
            collectFrames();
            for (auto &m : m_)
                m.link->poll();
            options_.netlist ? askWhetherOver() : checkHang();
            progress(false);
        }
    }
}

/// Both nodes up to `now_`.
void Simulation::advance() {
    for (unsigned n = 0; n < 2; ++n)
        m_[n].node->advance(now_, medium_.port(n));
}

/// Whole windows at whose end both nodes will still be quiet.
uint64_t Simulation::quietWindows() const {
    uint64_t ticks =
        std::min(m_[0].node->quietTicks(medium_.port(0)), m_[1].node->quietTicks(medium_.port(1)));
    if (options_.maxTicks)
        ticks = std::min(ticks, options_.maxTicks - now_ - 1);
    return ticks / window_;
}

/// Of netlists nothing is seen but what a host sees of a board.
void Simulation::askWhetherOver() {
    for (auto &m : m_) {
        const uint64_t status = m.link->readRegister(info_.number("status"));
        if (status & statusExited)
            m.node->hasExited(status >> 8 & 0xFF);
    }
    invocations_ = m_[0].link->readRegister(info_.number("invocations"));
}

void Simulation::checkHang() {
    for (unsigned n = 0; n < 2; ++n) {
        const Node &node = *m_[n].node;
        if (node.exited() || now_ - node.lastRetirement() < options_.hangTicks)
            continue;
        char text[256];
        std::snprintf(text, sizeof text,
                      "node %u hangs: nothing retired since tick %" PRIu64 ", last pc %" PRIx64
                      ", after %" PRIu64 " instructions%s.",
                      n, node.lastRetirement(), node.lastPc(), node.instructions(),
                      m_[n].link->readRegister(info_.number("status")) & 1 ? "; it has halted"
                                                                           : "");
        throw RunError(text);
    }
}

void Simulation::collectFrames() {
    medium_.collect(events_, frames_);
}

void Simulation::progress(bool now) {
    const auto time = std::chrono::steady_clock::now();
    if (!now && time - said_ < progressInterval)
        return;
    said_ = time;
    std::fprintf(stderr, "progress %" PRIu64 " %" PRIu64 "\n", invocations_, now_);
}

void Simulation::run() {
    begun_ = said_ = std::chrono::steady_clock::now();
    try {
        for (unsigned n = 0; n < 2; ++n)
            prepare(n);
        const bool measured =
            MarkerTable(m_[0].program.markers).has(actionEvent, eventMeasureStart);
        pendingControl_ = measured ? countersClear | countersFreeze : countersClear | countersArm;
        atBoundary();
        for (auto &m : m_)
            m.link->writeRegister(info_.number("run"), 1);
        begun_ = std::chrono::steady_clock::now();
        loop();
        for (auto &m : m_) {
            if (!options_.byRegisters && (!options_.cold || &m != &m_[0]))
                control(m, countersFreeze | countersSnapshot);
            counters_.push_back(readCounters(*m.link, info_));
            if (options_.byRegisters && !(m.link->readRegister(info_.number("status")) & 32))
                throw RunError("the invocations that measure_to counts did not come.");
            checkIdentities(static_cast<unsigned>(counters_.size()) - 1, counters_.back());
        }
        if (options_.cold && !counters_[0].path["ticks"])
            throw RunError("--cold: node 0's path did not begin again after the measurement "
                           "started: no cold invocation.");
        if (options_.cold && coldAt_ != coldWanted_)
            throw RunError("--cold: the cold start came after " + std::to_string(coldAt_) +
                           " passages of node 0's path instead of " + std::to_string(coldWanted_) +
                           ".");
        consultOracles();
    } catch (const Mismatch &) {
        writeFiles();
        throw;
    } catch (const RunError &) {
        for (auto &m : m_)
            if (m.lockstep)
                std::fputs(m.lockstep->recent().c_str(), stderr);
        std::fprintf(stderr, "again: %s\n", options_.reproduce.c_str());
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
    collectFrames();
    events_.write(options_.out);
    const auto leftOut =
        writePcap(folder + "wire.pcap", frames_, machine_.parameter("clock.ticks_per_us"));
    if (!counters_.empty())
        writeCounters(folder + "counters.json", counters_);
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
        run["instructions"].push_back(node.instructions());
        run["simulated_clocks"].push_back(node.clocks());
        m_[n].link->poll();
        if (m_[n].oracle && m_[n].oracle->replay)
            m_[n].oracle->replay->write(options_.out);
        if (m_[n].oracle && m_[n].oracle->recording)
            pipeline::write(folder + "steps." + std::to_string(n) + ".bin", n,
                            std::move(*m_[n].oracle->recording));
        if (m_[n].log)
            m_[n].log->write(options_.out);
        if (m_[n].trace)
            m_[n].trace->write(options_.out);
        std::ofstream(folder + "console." + std::to_string(n) + ".txt", std::ios::binary)
            << m_[n].link->console;
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
