// SPDX-License-Identifier: BSD-2-Clause
// A copied node goes on as the first would have, and the first does not notice: two exact nodes
// talk TCP, and node 0 is copied on the way.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

#include "base/bootparams.h"
#include "base/error.h"
#include "base/program.h"
#include "exact/node/node.h"
#include "test/check.h"

using namespace mcpi;
using exact::TickRun;

namespace {

constexpr uint64_t begins = 1'150'000, ends = 1'400'000; // ticks in which they talk
constexpr uint64_t window = 79;                          // what the wire takes at least
constexpr uint64_t between = 61 * window, aWhile = 5'000;

/// A row for each run of equal ticks, however they were passed.
struct Log {
    std::vector<TickRun> rows;

    void add(const TickRun &l) {
        if (!rows.empty()) {
            TickRun &last = rows.back();
            const bool issues = l.owner == Owner::issue;
            if (!issues && last.owner == l.owner && last.events == l.events) {
                last.count += l.count;
                return;
            }
        }
        rows.push_back(l);
    }
    bool operator==(const Log &other) const {
        return std::equal(rows.begin(), rows.end(), other.rows.begin(), other.rows.end(),
                          [](const TickRun &a, const TickRun &b) {
                              return a.tick == b.tick && a.count == b.count && a.pc == b.pc &&
                                     a.events == b.events && a.owner == b.owner;
                          });
    }
};

/// Record of the pins that a node heard; it may be played back.
struct Tape : Port {
    Port *live = nullptr; ///< recorded from; none: played
    std::vector<std::pair<uint64_t, Pins>> heard;

    void send(uint64_t tick, uint8_t data, bool enable, bool error) override {
        if (live)
            live->send(tick, data, enable, error);
    }
    uint64_t next(uint64_t tick) const override {
        if (live)
            return live->next(tick);
        const auto found = at_(tick);
        return found == heard.end() ? Line::never : found->first;
    }
    Pins at(uint64_t tick) override {
        if (!live)
            return at_(tick)->second;
        heard.emplace_back(tick, live->at(tick));
        return heard.back().second;
    }

  private:
    std::vector<std::pair<uint64_t, Pins>>::const_iterator at_(uint64_t tick) const {
        return std::lower_bound(heard.begin(), heard.end(), tick,
                                [](const auto &one, uint64_t t) { return one.first < t; });
    }
};

struct Copy {
    std::unique_ptr<exact::Node> node;
    Log log;

    void run(Tape &tape, uint64_t until) {
        node->wake();
        while (node->now() < until)
            log.add(node->step(tape, until));
    }
};

/// Two nodes from reset on; each copy that is made runs a while at once.
class Talk {
  public:
    Talk(const char *machine, const char *pal, const char *image) : machine_(machine) {
        for (unsigned n = 0; n < 2; ++n) {
            exact::NodeSetting setting;
            NodeOptions given;
            given.pal = pal;
            given.image = image;
            setting.number = n;
            setting.timerPhase = 1000 + n;
            setting.pollPhase = 500 * n;
            setting.station = bootFields(machine_, n, {}).at("mac");
            program = readProgram(machine_, given, n);
            nodes_[n] = std::make_unique<exact::Node>(machine_, setting);
            for (const auto &s : program.segments)
                nodes_[n]->place(s);
            nodes_[n]->reset();
        }
        heard.live = &ports_[0];
    }

    /// `tape`: what node 0 will hear, for copies; none: no copies.
    void run(Tape *tape) {
        for (uint64_t now = 0; now < ends; now += window) {
            if (tape && now >= begins && now + aWhile < ends && now % between == 0)
                copy(*tape);
            for (unsigned n = 0; n < 2; ++n) {
                exact::Node &node = *nodes_[n];
                Port &wire = n ? static_cast<Port &>(ports_[1]) : heard;
                node.wake();
                while (node.now() < now + window) {
                    const TickRun &l = node.step(wire, now + window);
                    if (!n && l.tick >= begins)
                        log.add(l);
                }
            }
        }
    }

    Log log; ///< of node 0
    Tape heard;
    std::vector<Copy> copies;
    double fastest = 1; ///< seconds
    Program program;    ///< of either

  private:
    void copy(Tape &tape) {
        const std::clock_t before = std::clock();
        copies.push_back({std::make_unique<exact::Node>(*nodes_[0]), {}});
        fastest = std::min(fastest, double(std::clock() - before) / CLOCKS_PER_SEC);
        copies.back().run(tape, copies.back().node->now() + aWhile);
    }

    Machine machine_;
    Line lines_[2] = {Line({70, 9, 3}), Line({70, 9, 44})}; ///< from node n
    LinePort ports_[2] = {{lines_[0], lines_[1]}, {lines_[1], lines_[0]}};
    std::unique_ptr<exact::Node> nodes_[2];
};

/// The rest of a log, from a tick on.
Log from(const Log &log, uint64_t tick) {
    Log rest;
    for (TickRun l : log.rows)
        if (l.tick + l.count > tick) {
            const uint64_t before = l.tick < tick ? tick - l.tick : 0;
            l.tick += before;
            l.count -= before;
            rest.rows.push_back(l);
        }
    return rest;
}

} // namespace

int main(int, char **argv) {
    Talk alone(argv[1], argv[2], argv[3]), copied(argv[1], argv[2], argv[3]);
    alone.run(nullptr);
    Tape tape;
    tape.heard = alone.heard.heard;
    CHECK(tape.heard.size() > 500);
    copied.run(&tape);
    CHECK(copied.log == alone.log);
    CHECK(copied.copies.size() > 40);

    const uint64_t last = alone.log.rows.back().tick + alone.log.rows.back().count;
    exact::Node spoilt(*copied.copies.front().node);
    for (Copy &copy : copied.copies) {
        copy.run(tape, last);
        CHECK(copy.log == from(alone.log, copy.log.rows.front().tick));
    }

    for (Segment s : copied.program.segments) {
        std::fill(s.bytes.begin(), s.bytes.end(), 0);
        spoilt.place(s);
    }
    Copy other{std::make_unique<exact::Node>(spoilt), {}};
    const uint64_t first = other.node->now();
    other.run(tape, last);
    CHECK(!(other.log == from(alone.log, first)));

    std::printf("%zu copies, the fastest in %.2f ms\n", copied.copies.size(),
                1000 * copied.fastest);
    CHECK(copied.fastest < 0.01);
    return 0;
}
