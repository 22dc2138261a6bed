// SPDX-License-Identifier: BSD-2-Clause
#include "pair.h"

#include <cinttypes>
#include <filesystem>
#include <fstream>

#include "base/bootparams.h"
#include "base/error.h"
#include "link/pcap.h"

namespace mcpi::exact {
namespace {

constexpr unsigned number(memory::Event event) {
    return static_cast<unsigned>(event);
}

/// The events that ticks.csv has, in its order.
using memory::Event;
constexpr unsigned logged[] = {number(Event::iAccess),
                               number(Event::iMiss),
                               number(Event::iStreamHit),
                               number(Event::dAccess),
                               number(Event::dMiss),
                               number(Event::writeAccess),
                               number(Event::writeMerge),
                               coreEvents,
                               coreEvents + 1,
                               coreEvents + 2,
                               number(Event::bAccess),
                               number(Event::bFetch),
                               number(Event::bPrefetch),
                               number(Event::bLoad),
                               number(Event::bWrite),
                               number(Event::writeSent),
                               number(Event::bMiss),
                               number(Event::bVictim),
                               number(Event::bDma),
                               number(Event::busCore),
                               number(Event::busDma)};

/// What the engine cannot do it does not approximate.
void refuse(const Options &o) {
    const struct {
        const char *name;
        bool given;
    } options[] = {{"--cold", o.cold},
                   {"--fork-cold", !o.forkCold.empty()},
                   {"--trace", o.trace >= 0},
                   {"--trace-steps", o.traceSteps},
                   {"--measure-by-registers", o.byRegisters}};
    for (const auto &option : options)
        if (option.given)
            throw UserError(std::string(option.name) +
                            ": the exact engine does not have it yet; use mcpi-sim.");
    for (const auto &node : o.nodes)
        if (!node.registers.empty())
            throw UserError("--node N:register." + node.registers.front().first +
                            ": the exact engine does not have it yet; use mcpi-sim.");
}

} // namespace

Pair::Pair(const Options &options)
    : options_(options), machine_(options.machine), medium_(machine_, options) {
    refuse(options);
    for (unsigned n = 0; n < 2; ++n)
        prepare(n);
    std::error_code error;
    std::filesystem::create_directories(options_.out, error);
    if (error)
        throw UserError(options_.out + ": " + error.message());
}

void Pair::prepare(unsigned number) {
    Machinery &m = m_[number];
    const NodeOptions &given = options_.nodes[number];
    m.program = readProgram(machine_, given, number);
    const uint64_t perUs = machine_.parameter("clock.ticks_per_us");
    const uint64_t period = perUs * 1000000 / machine_.parameter("timer.hz");
    const uint64_t poll = (machine_.parameter("lance.poll_ns") * perUs * 2 + 1000) / 2000;
    NodeSetting s;
    s.number = number;
    s.timerPhase =
        given.phase ? given.phase : 1 + phaseFromSeed(options_.seed, phaseTimer + number, period);
    s.pollPhase = phaseFromSeed(options_.seed, phasePoll + number, poll);
    s.station = bootFields(machine_, number, given.boot).at("mac");
    m.node = std::make_unique<Node>(machine_, s);
    for (const auto &segment : m.program.segments)
        m.node->place(segment);
    m.node->reset();
    if (!m.program.markers.empty())
        m.markers = std::make_unique<MarkerTable>(m.program.markers);
    if (options_.tickLog == static_cast<int>(number))
        m.log = std::make_unique<TickLog>(
            std::vector<std::string>(std::begin(ownerNames), std::end(ownerNames)));
}

/// Nothing that one node does can be seen by the other in the same window.
void Pair::run() {
    try {
        loop();
    } catch (const RunError &) {
        std::fprintf(stderr, "again: %s\n", options_.reproduce.c_str());
        writeFiles();
        throw;
    }
    writeFiles();
    for (unsigned n = 0; n < 2; ++n)
        if (const unsigned code = m_[n].node->system().exitCode)
            throw RunError("node " + std::to_string(n) + " ended with exit code " +
                           std::to_string(code) + "; see console." + std::to_string(n) + ".txt.");
}

void Pair::loop() {
    while (!m_[0].node->system().exited || !m_[1].node->system().exited) {
        if (options_.maxTicks && now_ >= options_.maxTicks)
            throw RunError("gave up at tick " + std::to_string(now_) + " (--max-ticks).");
        now_ += (quietWindows() + 1) * medium_.lookahead();
        for (unsigned n = 0; n < 2; ++n)
            advance(n, now_);
    }
}

/// Each node has issued something lately, or is done.
void Pair::checkHang() const {
    for (unsigned n = 0; n < 2; ++n) {
        const Machinery &m = m_[n];
        if (m.node->system().exited || now_ - m.issued < options_.hangTicks)
            continue;
        char text[256];
        std::snprintf(text, sizeof text,
                      "node %u hangs: nothing retired since tick %" PRIu64 ", last pc %" PRIx64
                      ", after %" PRIu64 " instructions%s.",
                      n, m.issued, m.pc, m.instructions, m.node->halted() ? "; it has halted" : "");
        throw RunError(text);
    }
}

void Pair::advance(unsigned number, uint64_t until) {
    Node &node = *m_[number].node;
    Port &port = medium_.port(number);
    node.wake();
    while (node.now() < until)
        observe(number, node.live(port, options_.noSkip ? node.now() + 1 : until));
}

/// Whole windows at whose end both nodes will still be quiet.
uint64_t Pair::quietWindows() const {
    if (options_.noSkip)
        return 0;
    uint64_t ticks =
        std::min(m_[0].node->quietTicks(medium_.port(0)), m_[1].node->quietTicks(medium_.port(1)));
    if (options_.maxTicks)
        ticks = std::min(ticks, options_.maxTicks - now_ - 1);
    return ticks / medium_.lookahead();
}

void Pair::observe(unsigned number, const Lived &lived) {
    Machinery &m = m_[number];
    if (lived.owner == Owner::issue) {
        ++m.instructions;
        m.issued = lived.tick;
        m.pc = lived.pc;
        const auto pc = static_cast<uint32_t>(lived.pc);
        if (m.markers && m.markers->mayHold(pc))
            if (const auto *found = m.markers->find(pc & ~3u))
                for (const auto &marker : *found) {
                    events_.addMarker(lived.tick, number, marker);
                    if (m.log)
                        m.log->marker(marker);
                }
    }
    if (!m.log)
        return;
    m.log->tick(lived.tick, static_cast<unsigned>(lived.owner), lived.pc, lived.count);
    for (const unsigned event : logged)
        m.log->event(lived.events >> event & 1, eventName(event));
}

void Pair::writeFiles() {
    const std::string folder = options_.out + "/";
    medium_.collect(events_, frames_);
    events_.write(options_.out);
    writePcap(folder + "wire.pcap", frames_, machine_.parameter("clock.ticks_per_us"));
    for (unsigned n = 0; n < 2; ++n) {
        if (m_[n].log)
            m_[n].log->write(options_.out);
        std::ofstream(folder + "console." + std::to_string(n) + ".txt", std::ios::binary)
            << m_[n].node->system().console;
    }
}

} // namespace mcpi::exact
