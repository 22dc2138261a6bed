// SPDX-License-Identifier: BSD-2-Clause
#include "serial.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <filesystem>
#include <poll.h>
#include <unistd.h>

#include "error.h"
#include "faults.h"
#include "medium.h"
#include "setup.h"

namespace mcpi {
namespace {

constexpr unsigned clocksAtOnce = 64;
/// A node that is held for so long has been stopped: longer than any sweep of tags or tables.
constexpr uint64_t stoppedClocks = 400000;
constexpr uint64_t clockKhz = 50000; // any: nothing here takes real time
constexpr uint64_t linkUp = 3;       // and full duplex, 10 Mb/s
constexpr uint64_t noPhy = uint64_t{1} << 16;
constexpr auto seldom = std::chrono::microseconds(2000), often = std::chrono::microseconds(50);
constexpr unsigned patience = 40; // looks, often, for the reply to a request under way

} // namespace

SerialNodes::SerialNodes(const Options &options) : options_(options), info_(options.nodeJson) {
    const Machine machine(options.machine);
    Medium::wantFull(machine, "--serial");
    ticksPerUs_ = machine.parameter("clock.ticks_per_us");
    wire_.nibbleTicks = 4 * ticksPerUs_ / machine.parameter("link.mbps");
    wire_.delayTicks = options.cable;
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error)
        throw UserError(options.out + ": " + error.message());
    boards_.resize(options.looped ? 1 : 2);
    for (unsigned n = 0; n < boards_.size(); ++n) {
        NodeConfig config;
        config.number = n;
        config.ramBytes = machine.parameter("memory.size");
        config.backingBytes = options.backingBytes ? options.backingBytes : config.ramBytes;
        config.pageBytes = options.pageBytes;
        config.latency = options.latency;
        config.latency.seed += n;
        config.exitAddress =
            machine.base("io", "system") + machine.offset("system", "console_exit");
        Board &b = boards_[n];
        b.node = std::make_unique<Node>(config);
        b.node->skipping = !options.noSkip;
        b.node->patience = stoppedClocks;
        b.node->backing.asBoard = true;
        b.node->board = [this, &b](unsigned number, const uint64_t *written) {
            return boardRegister(b, number, written);
        };
        b.terminal = std::make_unique<Terminal>(options.out + "/serial." + std::to_string(n));
    }
}

/// What boards/common/BoardRegisters.scala holds.
uint64_t SerialNodes::boardRegister(Board &b, unsigned number, const uint64_t *written) {
    Backing &ram = b.node->backing;
    const auto is = [&](const char *name) {
        return number == info_.number(std::string("board.") + name);
    };
    if (written) {
        if (is("pages_used"))
            ram.forget();
        return 0;
    }
    if (is("name"))
        return 's' | 'i' << 8 | 'm' << 16;
    if (is("clock_khz"))
        return clockKhz;
    if (is("pages"))
        return ram.pages();
    if (is("pages_used"))
        return ram.pagesUsed();
    if (is("fault"))
        return ram.fault;
    if (is("link"))
        return linkUp;
    return is("mdio") ? noPhy : 0;
}

/// Bytes between terminals and nodes; whether there were any.
bool SerialNodes::exchange() {
    bool some = false;
    for (auto &b : boards_) {
        uint8_t byte;
        while (b.terminal->read(byte)) {
            b.node->send(byte);
            some = true;
        }
        while (b.node->receive(byte)) {
            b.terminal->write(byte);
            some = true;
        }
        some |= b.terminal->flush();
    }
    return some;
}

/// Waits so long for a byte; false when standard input has ended.
bool SerialNodes::hostIsThere(int milliseconds) {
    std::vector<pollfd> files = {{STDIN_FILENO, POLLIN, 0}};
    for (const auto &b : boards_)
        files.push_back({b.terminal->descriptor(), POLLIN, 0});
    poll(files.data(), files.size(), milliseconds);
    char c;
    return !(files[0].revents & (POLLIN | POLLHUP)) || ::read(STDIN_FILENO, &c, 1) > 0;
}

/// Until both nodes could tick; false when standard input has ended.
bool SerialNodes::await() {
    uint64_t quiet = 0;
    const auto ready = [](const Board &b) { return b.node->ready(); };
    while (!std::all_of(boards_.begin(), boards_.end(), ready)) {
        quiet = exchange() ? 0 : quiet + clocksAtOnce;
        for (auto &b : boards_)
            for (unsigned i = 0; i < clocksAtOnce; ++i)
                b.node->idleClock();
        if (!hostIsThere(quiet > stoppedClocks ? 20 : 0))
            return false;
    }
    return true;
}

/// Virtual time from tick 0 until a node is stopped; false when standard input has ended.
bool SerialNodes::session() {
    for (unsigned n = 0; n < boards_.size(); ++n) {
        LineConfig wire = wire_;
        wire.phase = phaseFromSeed(options_.seed, phaseWire + n, wire.nibbleTicks);
        boards_[n].line = std::make_unique<Line>(wire);
        auto faults = std::make_unique<Faults>();
        faults->seed = options_.seed;
        for (const auto &option : options_.nodes[n].wire)
            faults->set(option, ticksPerUs_);
        if (faults->any())
            boards_[n].line->suffer(std::move(faults));
        boards_[n].node->restart();
    }
    Board &client = boards_.front(), &server = boards_.back(); // the same if looped
    client.port = std::make_unique<LinePort>(*client.line, *server.line);
    server.port = std::make_unique<LinePort>(*server.line, *client.line);
    const uint64_t window = client.line->lookahead();
    uint64_t now = 0;
    auto next = std::chrono::steady_clock::now();
    unsigned silent = 0; // looks since the last byte
    try {
        for (uint64_t rounds = 0;; ++rounds) {
            const uint64_t quiet = std::min(client.node->quietTicks(*client.port),
                                            server.node->quietTicks(*server.port));
            now += (quiet / window + 1) * window;
            client.node->advance(now, *client.port);
            if (!options_.looped)
                server.node->advance(now, *server.port);
            client.line->passed.clear();
            server.line->passed.clear();
            const auto time = std::chrono::steady_clock::now();
            if (time < next)
                continue;
            const bool over = client.node->exited() && server.node->exited();
            silent = exchange() ? 0 : silent + 1;
            const bool talks = silent < patience;
            next = time + (talks || over ? often : seldom);
            if (silent && !hostIsThere(over && !talks ? 20 : 0))
                return false;
        }
    } catch (const Stalled &) { // the host has stopped a node
        std::fprintf(stderr, "a run of %" PRIu64 " ticks\n", now);
    }
    return true;
}

void SerialNodes::run() {
    std::fprintf(stderr, "ready");
    for (unsigned n = 0; n < boards_.size(); ++n)
        std::fprintf(stderr, " %s/serial.%u", options_.out.c_str(), n);
    std::fprintf(stderr, "\n");
    while (await() && session())
        ;
}

} // namespace mcpi
