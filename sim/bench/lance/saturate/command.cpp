// SPDX-License-Identifier: BSD-2-Clause
// Stations on a half-duplex segment, all sending as fast as they can: is every frame delivered once
// and unharmed, or reported by its sender? docs/reference/segment.md.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <memory>

#include "bench/lance/commands.h"
#include "bench/lance/histories/random.h"
#include "bench/lance/setting.h"
#include "link/segment.h"
#include "station.h"

namespace mcpi::saturate {
namespace {

struct Options {
    std::string machine, pcap;
    uint64_t seed = 1;
    uint32_t frames = 10000, stations = 3, cable = 2000;
};

struct Frame {
    unsigned from, to;
    Bytes data;
    unsigned status = 0, error = 0, delivered = 0;
    bool reported = false;
};

class Run {
  public:
    explicit Run(const Options &options) : o_(options), random_(options.seed) {}
    int run();

  private:
    Frame compose(unsigned from);
    void fill(unsigned station);
    void received(unsigned station, const Bytes &data, unsigned status);
    void wrong(const std::string &what);
    void judge();
    void print(double ticksPerUs, double seconds) const;

    Options o_;
    histories::Random random_;
    std::vector<std::unique_ptr<Station>> stations_;
    std::vector<Frame> frames_;
    std::vector<uint32_t> lastSeen_; ///< frame + 1, by sender and receiver
    lance_segment *segment_ = nullptr;
    unsigned badStatus_ = 0, wrongs_ = 0;
    uint32_t reports_ = 0;
};

void Run::wrong(const std::string &what) {
    if (++wrongs_ <= 10)
        std::printf("WRONG: %s\n", what.c_str());
}

/// Addresses, the frame's number, random bytes: 60 to 300 of them, one in twenty up to 1514.
Frame Run::compose(unsigned from) {
    const unsigned to = (from + 1 + random_.below(o_.stations - 1)) % o_.stations;
    const auto a = Station::address(to), b = Station::address(from);
    const uint32_t size =
        random_.chance(0.05) ? random_.between(301, 1514) : random_.between(60, 300);
    Frame f{from, to, random_.bytes(size)};
    std::copy(a.begin(), a.end(), f.data.begin());
    std::copy(b.begin(), b.end(), f.data.begin() + 6);
    for (unsigned i = 0; i < 4; ++i)
        f.data[12 + i] = static_cast<uint8_t>(frames_.size() >> 8 * i);
    return f;
}

void Run::fill(unsigned n) {
    Station &s = *stations_[n];
    bool any = false;
    while (s.hasRoom() && frames_.size() < o_.frames) {
        frames_.push_back(compose(n));
        s.send(static_cast<uint32_t>(frames_.size() - 1), frames_.back().data);
        any = true;
    }
    if (any)
        s.demand();
}

void Run::received(unsigned station, const Bytes &data, unsigned status) {
    if (status & 0x4000 || (status & 0x0300) != 0x0300 || data.size() < 16) {
        ++badStatus_; // damage that is reported is no corruption
        return;
    }
    const uint32_t n = data[12] | data[13] << 8 | data[14] << 16 | uint32_t{data[15]} << 24;
    const std::string who = "station " + std::to_string(station) + ", frame " + std::to_string(n);
    if (n >= frames_.size() || frames_[n].data != data)
        return wrong(who + ": corrupt");
    Frame &f = frames_[n];
    if (f.to != station)
        wrong(who + ": not for it");
    if (f.delivered++)
        wrong(who + ": delivered twice");
    uint32_t &last = lastSeen_[f.from * o_.stations + f.to];
    if (n + 1 <= last)
        wrong(who + ": out of order");
    last = n + 1;
}

void Run::judge() {
    unsigned missed = 0, lost = 0;
    for (const auto &s : stations_) {
        missed += s->missed;
        if (s->csrErrors)
            wrong("BABL, CERR or MERR");
    }
    for (uint32_t n = 0; n < frames_.size(); ++n) {
        const Frame &f = frames_[n];
        if (!f.reported)
            wrong("frame " + std::to_string(n) + ": its sender says nothing of it");
        const bool failed = f.status & 0x4000;
        if (failed && f.delivered && f.error & 0x0400)
            wrong("frame " + std::to_string(n) + ": RTRY, but delivered");
        lost += !failed && !f.delivered;
    }
    if (lost > missed + badStatus_)
        wrong(std::to_string(lost - missed - badStatus_) + " frames lost, and nobody reports it");
}

void Run::print(double ticksPerUs, double seconds) const {
    const auto counts = lance_segment_counted(segment_);
    const double us = double(lance_segment_now(segment_)) / ticksPerUs;
    std::printf("%u stations, seed %" PRIu64 ", %zu frames: %s; %.2f s of virtual time in %.0f s\n",
                o_.stations, o_.seed, frames_.size(),
                wrongs_ ? "WRONG" : "all delivered or reported", us / 1e6, seconds);
    std::printf("attempts %" PRIu64 ", collided %" PRIu64 ", collisions seen %" PRIu64
                "; %.0f frames/s, wire %.1f %% of 10 Mb/s\n",
                counts.attempts, counts.collided, counts.collisions,
                double(counts.attempts - counts.collided) / us * 1e6,
                double(counts.bits) / us * 10);
    for (unsigned n = 0; n < o_.stations; ++n) {
        unsigned sent = 0, one = 0, more = 0, deferred = 0, rtry = 0, lcol = 0, other = 0, got = 0;
        for (const Frame &f : frames_) {
            got += f.to == n ? f.delivered : 0;
            if (f.from != n)
                continue;
            ++sent;
            more += f.status >> 12 & 1;
            one += f.status >> 11 & 1;
            deferred += f.status >> 10 & 1;
            rtry += f.error >> 10 & 1;
            lcol += f.error >> 12 & 1;
            other += (f.error & 0xC800) != 0;
        }
        std::printf(
            "station %u: sent %u (ONE %u, MORE %u, DEF %u, RTRY %u, LCOL %u, other errors %u), "
            "received %u, MISS %u\n",
            n, sent, one, more, deferred, rtry, lcol, other, got, stations_[n]->missed);
    }
    std::printf("received with an error status: %u\n", badStatus_);
}

int Run::run() {
    const Machine machine(o_.machine);
    const lance_config times = lanceTimes(machine, o_.machine);
    segment_ = lance_segment_new(times.nibble_ticks);
    lastSeen_.resize(o_.stations * o_.stations);
    const auto begun = std::chrono::steady_clock::now();
    for (unsigned n = 0; n < o_.stations; ++n) {
        stations_.push_back(std::make_unique<Station>(times, n));
        Station &s = *stations_.back();
        if (lance_segment_attach(segment_, s.chip, o_.cable * n / (o_.stations - 1)))
            throw UserError("--cable is too short for so many stations.");
        s.onSent = [this](const Report &r) {
            Frame &f = frames_[r.frame];
            if (f.reported)
                wrong("frame " + std::to_string(r.frame) + ": reported twice");
            f.reported = true;
            f.status = r.status;
            f.error = r.error;
            ++reports_;
        };
        s.onReceived = [this, n](const Bytes &data, unsigned status) { received(n, data, status); };
    }
    for (auto &s : stations_)
        s->start();
    const uint64_t longest = 200 * uint64_t{1000000} * 175;
    while (reports_ < o_.frames || frames_.size() < o_.frames) {
        for (unsigned n = 0; n < o_.stations; ++n) {
            stations_[n]->serve();
            fill(n);
        }
        lance_segment_advance(segment_, 100000, LANCE_ON_INTERRUPT);
        if (lance_segment_now(segment_) > longest)
            throw RunError("gave up: frames neither sent nor reported.");
    }
    for (unsigned i = 0; i < 4; ++i) { // the last frame is on its way to a buffer
        lance_segment_advance(segment_, 20000, 0);
        for (auto &s : stations_)
            s->serve();
    }
    judge();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;
    print(double(machine.parameter("clock.ticks_per_us")), wall.count());
    if (!o_.pcap.empty() &&
        lance_segment_pcap(segment_, o_.pcap.c_str(), machine.parameter("clock.ticks_per_us")))
        throw UserError(o_.pcap + ": cannot be written.");
    stations_.clear();
    lance_segment_free(segment_);
    return wrongs_ ? 1 : 0;
}

} // namespace

void addCommand(CLI::App &app, int &status) {
    auto *sub = app.add_subcommand("saturate", "a half-duplex segment (docs/reference/segment.md)");
    auto o = std::make_shared<Options>();
    sub->add_option("--machine", o->machine, "resolved machine, JSON")->required();
    sub->add_option("--frames", o->frames, "of all stations")->check(CLI::Range(1, 10000000));
    sub->add_option("--stations", o->stations, "how many")->check(CLI::Range(2, 32));
    sub->add_option("--cable", o->cable, "ticks from end to end")
        ->check(CLI::Range(1, 70 * int{EtherSegment::longestNibbles}));
    sub->add_option("--seed", o->seed, "of frames, sizes, addresses");
    sub->add_option("--pcap", o->pcap, "write what went over the cable whole");
    sub->callback([o, &status] { status = Run(*o).run(); });
}

} // namespace mcpi::saturate
