// SPDX-License-Identifier: BSD-2-Clause
#include "boards.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <filesystem>
#include <poll.h>
#include <unistd.h>

#include "base/error.h"
#include "station.h"
#include "testbed/medium.h"

namespace mcpi {
namespace {

constexpr unsigned clocksAtOnce = 64;
/// A node that waits may hold every other clock: an answer of its core stands for a clock.
constexpr unsigned clocksOfAnAnswer = 4;
/// A node that is held for so long has been stopped: longer than any sweep of tags or tables.
constexpr uint64_t stoppedClocks = 400000;
constexpr uint64_t clockKhz = 50000; // any: nothing here takes real time
constexpr uint64_t linkUp = 3;       // and full duplex, 10 Mb/s
constexpr uint64_t looped = 16;      // what is sent comes back
constexpr uint64_t noPhy = uint64_t{1} << 16;
constexpr auto seldom = std::chrono::microseconds(2000), often = std::chrono::microseconds(50);
constexpr unsigned patience = 40; // looks, often, for the reply to a request under way

} // namespace

SimulatedBoards::SimulatedBoards(const Options &options)
    : options_(options), machine_(options.machine), info_(options.nodeJson) {
    Medium::wantFull(machine_, "board");
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error)
        throw UserError(options.out + ": " + error.message());
    boards_.resize(options.loopback ? 1 : 2);
    for (unsigned n = 0; n < boards_.size(); ++n) {
        Board &b = boards_[n];
        b.node = std::make_unique<Node>(nodeConfig(machine_, info_, options, n));
        b.node->skipping = !options.noSkip;
        b.node->patience = stoppedClocks;
        b.node->backing.asBoard = true;
        b.node->board = [this, &b](unsigned number, const uint64_t *written) {
            return boardRegister(b, number, written);
        };
        b.terminal = std::make_unique<Terminal>(options.out + "/serial." + std::to_string(n));
    }
}

/// The register `number` of boards/common/BoardRegisters.scala.
uint64_t SimulatedBoards::boardRegister(Board &b, unsigned number, const uint64_t *written) {
    SdramModel &ram = b.node->backing;
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
        return linkUp | (options_.loopback ? looped : 0);
    return is("mdio") ? noPhy : 0;
}

/// Bytes between terminals and nodes; whether there were any.
bool SimulatedBoards::exchange() {
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
bool SimulatedBoards::hostIsThere(int milliseconds) {
    std::vector<pollfd> files = {{STDIN_FILENO, POLLIN, 0}};
    for (const auto &b : boards_)
        files.push_back({b.terminal->descriptor(), POLLIN, 0});
    poll(files.data(), files.size(), milliseconds);
    char c;
    return !(files[0].revents & (POLLIN | POLLHUP)) || ::read(STDIN_FILENO, &c, 1) > 0;
}

/// Until both nodes could tick; false when standard input has ended.
bool SimulatedBoards::await() {
    uint64_t quiet = 0;
    const auto ready = [](const Board &b) {
        for (unsigned i = 0; i < clocksOfAnAnswer; ++i) {
            if (b.node->ready())
                return true;
            b.node->idleClock();
        }
        return false;
    };
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
bool SimulatedBoards::session() {
    Medium medium(machine_, options_);
    for (auto &b : boards_)
        b.node->restart();
    const uint64_t window = medium.lookahead();
    uint64_t now = 0;
    auto next = std::chrono::steady_clock::now();
    unsigned silent = 0; // looks since the last byte
    try {
        for (uint64_t rounds = 0;; ++rounds) {
            uint64_t quiet = Line::never;
            for (unsigned n = 0; n < boards_.size(); ++n)
                quiet = std::min(quiet, boards_[n].node->quietTicks(medium.port(n)));
            now += (quiet / window + 1) * window;
            for (unsigned n = 0; n < boards_.size(); ++n)
                boards_[n].node->advance(now, medium.port(n));
            medium.forget();
            const auto time = std::chrono::steady_clock::now();
            if (time < next)
                continue;
            const bool over = std::all_of(boards_.begin(), boards_.end(),
                                          [](const Board &b) { return b.node->exited(); });
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

void SimulatedBoards::run() {
    std::fprintf(stderr, "ready");
    for (unsigned n = 0; n < boards_.size(); ++n)
        std::fprintf(stderr, " %s/serial.%u", options_.out.c_str(), n);
    std::fprintf(stderr, "\n");
    while (await() && session())
        ;
}

} // namespace mcpi
