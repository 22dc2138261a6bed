// SPDX-License-Identifier: BSD-2-Clause
#include "testbed.h"

#include <algorithm>
#include <cinttypes>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hang.h"
#include "log/gzip.h"

namespace mcpi {
namespace {

constexpr std::chrono::milliseconds progressInterval{400};
constexpr uint64_t lookTicks = 5000; // between looks at console, hangs and progress
constexpr uint64_t longest = 65535;  // quiet ticks at once: so many pass before a look

} // namespace

Testbed::Testbed(const Options &options, std::shared_ptr<const Machine> machine, NodeInfo info)
    : options_(options), machine_(std::move(machine)), info_(std::move(info)),
      measurement_(options_, info_), medium_(*machine_, options),
      events_(options.passages, options.out, packs(options.compress)),
      pcap_(machine_->parameter("clock.ticks_per_us"), options.out + "/wire.pcap",
            packs(options.compress)) {
    options_.hangTicks = patience(options.hangTicks, *machine_);
}

Testbed::Testbed(const Testbed &other, const std::string &out)
    : options_(other.options_), machine_(other.machine_), info_(other.info_),
      measurement_(other.measurement_, options_, info_), medium_(other.medium_), now_(other.now_),
      between_(other.between_), settled_(other.settled_), events_(other.events_),
      pcap_(other.pcap_), looked_(other.looked_), begun_(other.begun_), said_(other.said_) {
    options_.out = out;
}

void Testbed::makeFolders() const {
    for (const std::string &folder : {options_.out, options_.forkCold}) {
        std::error_code error;
        if (!folder.empty() && (std::filesystem::create_directories(folder, error), error))
            throw UserError(folder + ": " + error.message());
    }
}

void Testbed::attach(unsigned number, Station &station) {
    stations_[number] = &station;
    station.observer = this;
    measurement_.attach(number, station, station.program().markers);
}

void Testbed::marker(unsigned station, uint64_t tick, const Marker &marker) {
    events_.addMarker(tick, station, marker);
    if (station == 0)
        measurement_.marker(marker);
}

void Testbed::coldStart(unsigned station) {
    if (station == 0)
        measurement_.coldStart();
}

void Testbed::begin() {
    measurement_.begin(stations_[0]->program().markers);
}

/// A run ends with the window in which both have.
bool Testbed::over() const {
    return stations_[0]->exitCode(now_) >= 0 && stations_[1]->exitCode(now_) >= 0;
}

void Testbed::start() {
    if (now_)
        return;
    begun_ = said_ = std::chrono::steady_clock::now();
    begin();
    begun_ = std::chrono::steady_clock::now();
}

void Testbed::runUntil(uint64_t tick) {
    start();
    while (now_ < tick && !over())
        window();
}

void Testbed::run() {
    try {
        runUntil(~uint64_t{0});
        measurement_.end();
        finish();
    } catch (const RunError &error) {
        failed(error);
        writeFiles();
        throw;
    }
    progress(true);
    writeFiles();
    for (unsigned n = 0; n < 2; ++n)
        judge(n);
}

void Testbed::failed(const RunError &) {
    for (const Station *station : stations_)
        if (station)
            std::fputs(station->recent().c_str(), stderr);
    std::fprintf(stderr, "again: %s\n", options_.reproduce.c_str());
}

/// No nibble sent in this window arrives in it: the nodes may run one after the other.
void Testbed::window() {
    openWindow();
    advance();
    closeWindow();
}

void Testbed::openWindow() {
    if (options_.maxTicks && now_ >= options_.maxTicks)
        throw RunError("gave up at tick " + std::to_string(now_) + " (--max-ticks).");
    now_ += (quietWindows() + 1) * medium_.lookahead();
}

void Testbed::closeWindow() {
    measurement_.atBoundary();
    if (now_ - looked_ <= lookTicks)
        return;
    looked_ = now_;
    collectFrames();
    settle();
    look();
    progress(false);
}

/// Writes the rows that nothing can change any more, so that they leave memory.
void Testbed::settle() {
    constexpr uint64_t late = 1000; // ticks: a marker may be seen in some later tick
    const uint64_t known = std::min(now_, medium_.since());
    if (known < late)
        return;
    events_.settle(known - late);
    pcap_.settle(known - late);
}

/// Both nodes up to `now_`.
void Testbed::advance() {
    between_ = false;
    for (unsigned n = 0; n < 2; ++n)
        stations_[n]->advance(now_, medium_.port(n));
    between_ = true;
}

/// Whole windows at whose end both nodes will still be quiet.
uint64_t Testbed::quietWindows() const {
    uint64_t ticks = std::min({stations_[0]->quietTicks(medium_.port(0)),
                               stations_[1]->quietTicks(medium_.port(1)), longest});
    if (options_.maxTicks)
        ticks = std::min(ticks, options_.maxTicks - now_ - 1);
    return ticks / medium_.lookahead();
}

std::string Testbed::latestStamps(std::size_t rows) const {
    Medium medium(medium_);
    EventLog events(events_);
    std::vector<Passage> frames;
    medium.collect(events, frames);
    return events.latest(rows);
}

std::vector<Passage> Testbed::latestFrames(std::size_t count) const {
    Medium medium(medium_);
    EventLog events(events_);
    std::vector<Passage> frames = pcap_.frames;
    medium.collect(events, frames);
    std::stable_sort(frames.begin(), frames.end(),
                     [](const Passage &a, const Passage &b) { return a.sentFirst < b.sentFirst; });
    frames.erase(frames.begin(), frames.end() - std::min<long>(count, frames.size()));
    return frames;
}

void Testbed::look() {
    for (Station *station : stations_)
        station->checkHang(now_, options_.hangTicks);
}

void Testbed::progress(bool always) {
    if (!options_.whatIf.empty()) // who counts experiments
        return;
    const auto time = std::chrono::steady_clock::now();
    if (!always && time - said_ < progressInterval)
        return;
    said_ = time;
    std::fprintf(stderr, "progress %" PRIu64 " %" PRIu64 "\n", measurement_.invocations, now_);
    if (options_.live)
        measurement_.tell(now_, pcap_.count());
}

void Testbed::writeFiles() {
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun_;
    const std::string folder = options_.out + "/";
    if (!settled_)
        collectFrames();
    events_.write(options_.out);
    pcap_.write(folder + "wire.pcap");
    if (!measurement_.counters.empty())
        writeCounters(folder + "counters.json", info_, measurement_.counters);
    nlohmann::ordered_json run = {{"ticks", now_}, {"wall_seconds", wall.count()}};
    if (const auto wire = medium_.wireCounts(); !wire.is_null())
        run["wire"] = wire;
    run["exit_codes"] = nlohmann::ordered_json::array();
    run["instructions"] = nlohmann::ordered_json::array();
    for (Station *station : stations_) {
        if (!station)
            continue;
        const int code = station->exitCode(now_);
        code < 0 ? run["exit_codes"].push_back(nullptr) : run["exit_codes"].push_back(code);
        run["instructions"].push_back(station->issued());
        if (const uint64_t clocks = station->clocks())
            run["simulated_clocks"].push_back(clocks);
        station->write(options_.out);
    }
    run["frames"] = pcap_.count();
    run["frames_not_in_pcap"] = pcap_.leftOut;
    std::ofstream(folder + "run.json") << run.dump(1) << '\n';
    std::fprintf(stderr, "%" PRIu64 " ticks in %.2f s: %.0f ticks a second\n", now_, wall.count(),
                 static_cast<double>(now_) / wall.count());
}

void Testbed::judge(unsigned number) const {
    if (const int code = stations_[number]->exitCode(now_))
        throw RunError("node " + std::to_string(number) + " ended with exit code " +
                       std::to_string(code) + "; see console." + std::to_string(number) + ".txt.");
}

} // namespace mcpi
