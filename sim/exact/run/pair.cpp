// SPDX-License-Identifier: BSD-2-Clause
#include "pair.h"

#include <cinttypes>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "checked.h"
#include "link/pcap.h"
#include "testbed/hang.h"

namespace mcpi::exact {
namespace {

constexpr std::chrono::milliseconds progressInterval{400};
constexpr uint64_t lookTicks = 5000; // between looks at hangs and progress, as mcpi-sim

constexpr uint64_t longest = 65535; // quiet ticks at once: so long may pass until a look

} // namespace

Pair::Pair(const Options &options)
    : options_(checked(options)), machine_(std::make_shared<Machine>(options.machine)),
      info_(CounterBanks::info(*machine_)),
      medium_(*machine_, options), nodes_{WatchedNode(*machine_, options, 0),
                                          WatchedNode(*machine_, options, 1)},
      measurement_(options_, info_), events_(options.passages) {
    options_.hangTicks = patience(options.hangTicks, *machine_);
    attach();
}

Pair::Pair(const Pair &other, const std::string &out)
    : options_(other.options_), machine_(other.machine_), info_(other.info_),
      medium_(other.medium_), nodes_(other.nodes_),
      measurement_(other.measurement_, options_, info_), events_(other.events_),
      frames_(other.frames_), now_(other.now_), looked_(other.looked_), begun_(other.begun_),
      said_(other.said_) {
    options_.out = out;
    attach();
}

void Pair::attach() {
    for (const std::string &folder : {options_.out, options_.forkCold}) {
        std::error_code error;
        if (!folder.empty() && (std::filesystem::create_directories(folder, error), error))
            throw UserError(folder + ": " + error.message());
    }
    for (unsigned n = 0; n < 2; ++n)
        measurement_.attach(n, nodes_[n], nodes_[n].program().markers);
}

void Pair::begin() {
    begun_ = said_ = std::chrono::steady_clock::now();
    measurement_.begin(nodes_[0].program().markers);
}

/// A run ends with the window in which both have.
bool Pair::over() const {
    return nodes_[0].ended(now_) && nodes_[1].ended(now_);
}

void Pair::liveUntil(uint64_t tick) {
    if (!now_)
        begin();
    while (now_ < tick && !over())
        window();
}

void Pair::run() {
    try {
        liveUntil(never);
        measurement_.end();
    } catch (const RunError &) {
        std::fprintf(stderr, "again: %s\n", options_.reproduce.c_str());
        writeFiles();
        throw;
    }
    progress(true);
    writeFiles();
    judge();
}

/// So many ticks that nothing one node does can be seen by the other in them.
void Pair::window() {
    if (options_.maxTicks && now_ >= options_.maxTicks)
        throw RunError("gave up at tick " + std::to_string(now_) + " (--max-ticks).");
    now_ += (quietWindows() + 1) * medium_.lookahead();
    for (unsigned n = 0; n < 2; ++n)
        advance(n);
    measurement_.atBoundary();
    if (now_ - looked_ <= lookTicks)
        return;
    looked_ = now_;
    medium_.collect(events_, frames_);
    for (const auto &node : nodes_)
        node.checkHang(now_, options_.hangTicks);
    progress(false);
}

/// Sink of the events that a node passes.
struct Pair::Sink {
    Pair &pair;
    unsigned number;

    void marker(uint64_t tick, const Marker &marker) const {
        pair.events_.addMarker(tick, number, marker);
        if (number == 0)
            pair.measurement_.marker(marker);
    }
    void coldStart() const {
        if (number == 0)
            pair.measurement_.coldStart();
    }
};

void Pair::advance(unsigned number) {
    nodes_[number].advance(now_, medium_.port(number), !options_.noSkip, Sink{*this, number});
}

/// Whole windows at whose end both nodes will still be quiet.
uint64_t Pair::quietWindows() const {
    if (options_.noSkip)
        return 0;
    uint64_t ticks =
        std::min(nodes_[0].quietTicks(medium_.port(0)), nodes_[1].quietTicks(medium_.port(1)));
    ticks = std::min(ticks, longest);
    if (options_.maxTicks)
        ticks = std::min(ticks, options_.maxTicks - now_ - 1);
    return ticks / medium_.lookahead();
}

void Pair::progress(bool now) {
    const auto time = std::chrono::steady_clock::now();
    if (!now && time - said_ < progressInterval)
        return;
    said_ = time;
    std::fprintf(stderr, "progress %" PRIu64 " %" PRIu64 "\n", measurement_.invocations, now_);
    if (options_.live)
        measurement_.tell(now_, frames_.size());
}

void Pair::writeFiles() {
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun_;
    const std::string folder = options_.out + "/";
    medium_.collect(events_, frames_);
    events_.write(options_.out);
    const auto leftOut =
        writePcap(folder + "wire.pcap", frames_, machine_->parameter("clock.ticks_per_us"));
    if (!measurement_.counters.empty())
        writeCounters(folder + "counters.json", info_, measurement_.counters);
    nlohmann::ordered_json run = {{"ticks", now_}, {"wall_seconds", wall.count()}};
    if (const auto wire = medium_.told(); !wire.is_null())
        run["wire"] = wire;
    run["exit_codes"] = nlohmann::ordered_json::array();
    run["instructions"] = nlohmann::ordered_json::array();
    run["frames"] = frames_.size();
    run["frames_not_in_pcap"] = leftOut;
    for (auto &node : nodes_) {
        node.ended(now_) ? run["exit_codes"].push_back(node.exitCode())
                         : run["exit_codes"].push_back(nullptr);
        run["instructions"].push_back(node.instructions());
        node.write(options_.out);
    }
    std::ofstream(folder + "run.json") << run.dump(1) << '\n';
    std::fprintf(stderr, "%" PRIu64 " ticks in %.2f s: %.0f ticks a second\n", now_, wall.count(),
                 static_cast<double>(now_) / wall.count());
}

void Pair::judge() const {
    for (unsigned n = 0; n < 2; ++n)
        if (const unsigned code = nodes_[n].exitCode())
            throw RunError("node " + std::to_string(n) + " ended with exit code " +
                           std::to_string(code) + "; see console." + std::to_string(n) + ".txt.");
}

} // namespace mcpi::exact
