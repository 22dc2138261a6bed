// SPDX-License-Identifier: BSD-2-Clause
// Test of faults on a wire, made on purpose, frame by frame; a pcap read back; a half-duplex
// segment.
#include <fstream>
#include <set>

#include "base/error.h"
#include "link/faults.h"
#include "link/pcap.h"
#include "link/segment.h"
#include "link/wire.h"
#include "test/check.h"

using namespace mcpi;

namespace {

using Bytes = std::vector<uint8_t>;

Bytes frameOf(unsigned n) {
    return frameNibbles(withFcs(Bytes(60 + n % 7, static_cast<uint8_t>(n))));
}

struct Arrived {
    uint64_t first, last;
    Bytes nibbles;
};

/// Sends `count` frames, `gap` nibbles apart, and collects what arrives; in windows as mcpi-sim
/// has them, the sender first or second.
std::vector<Arrived> pass(Line &line, unsigned count, unsigned gap, bool senderFirst) {
    const uint64_t window = line.lookahead();
    std::vector<Arrived> arrived;
    unsigned frame = 0;
    std::size_t next = 0;
    uint64_t sendAt = 1003, end = ~uint64_t{0};
    Bytes nibbles = frameOf(0);
    bool inside = false;
    for (uint64_t from = 0; from < end; from += window) {
        const uint64_t to = from + window;
        for (int turn = 0; turn < 2; ++turn) {
            if ((turn == 0) == senderFirst) {
                for (; frame < count && sendAt < to; sendAt += 70) {
                    line.send(sendAt, next < nibbles.size() ? nibbles[next] : 0,
                              next < nibbles.size(), false);
                    if (next++ < nibbles.size())
                        continue;
                    next = 0;
                    nibbles = frameOf(++frame);
                    sendAt += 70 * (gap - 1) + frame % 70;
                    if (frame == count)
                        end = sendAt + 5000000;
                }
                continue;
            }
            for (uint64_t now = from; (now = line.nextStrobe(now)) < to; ++now) {
                const Nibble n = line.receive(now);
                if (n.valid && !inside)
                    arrived.push_back({now, now, {}});
                inside = n.valid;
                arrived.back().last = now;
                if (n.valid)
                    arrived.back().nibbles.push_back(n.data);
            }
        }
    }
    return arrived;
}

std::unique_ptr<Faults> with(std::initializer_list<const char *> options) {
    auto faults = std::make_unique<Faults>();
    for (const char *option : options)
        faults->set(option, 175);
    return faults;
}

void script(const std::string &path) {
    std::ofstream(path) << "frame 1 lose\nframe 2 duplicate # twice\n\nframe 4 reorder\n"
                           "frame 6 delay 700\nframe 7 corrupt 9\ninject 5000000 0102030405\n";
    const std::string option = "script=" + path;
    for (bool first : {true, false}) {
        Line line({70, 9, 11});
        line.suffer(with({option.c_str()}));
        const auto got = pass(line, 9, 24, first);
        const unsigned wanted[] = {0, 2, 2, 3, 5, 4, 6, 7, 8};
        CHECK(got.size() == 10);
        for (unsigned i = 0; i < 9; ++i) {
            Bytes nibbles = frameOf(wanted[i]);
            if (wanted[i] == 7)
                nibbles[16 + 9] ^= 1;
            CHECK(got[i].nibbles == nibbles);
            CHECK(got[i].first % 70 == 11);
            CHECK(i == 0 || got[i].first >= got[i - 1].last + 24 * 70 - 70);
        }
        CHECK(got[9].first >= 5000000 && got[9].first < 5000070);
        CHECK(frameBytes(got[9].nibbles).size() == 9);
        CHECK(line.counts.lost == 1 && line.counts.duplicated == 1 && line.counts.reordered == 1);
        CHECK(line.counts.delayed == 1 && line.counts.corrupted == 1);
        CHECK(line.passed.size() == 9);
    }
}

/// A frame that waits for one that is lost comes after that one was sent.
void late(const std::string &path) {
    std::ofstream(path) << "frame 1 reorder\nframe 2 lose\n";
    const std::string option = "script=" + path;
    for (bool first : {true, false}) {
        Line line({70, 9, 11});
        line.suffer(with({option.c_str(), "patience_ticks=9000000"}));
        const auto got = pass(line, 4, 3000, first);
        CHECK(got.size() == 3);
        for (unsigned i = 0; i < 3; ++i)
            CHECK(got[i].nibbles == frameOf(i + (i == 2)));
        CHECK(got[1].first > 1003 + 2 * 3000 * 70);
    }
}

void chance() {
    std::vector<std::vector<Arrived>> all;
    for (const char *seed : {"seed=3", "seed=3", "seed=4"}) {
        Line line({70, 9, 5});
        line.suffer(with({seed, "lose=0.1", "corrupt=0.1", "duplicate=0.1", "delay=0.2",
                          "reorder=0.1", "delay_ticks=9000"}));
        all.push_back(pass(line, 400, 30, seed[5] == '3'));
        const WireCounts &c = line.counts;
        std::set<Bytes> whole;
        for (unsigned n = 0; n < 400; ++n)
            whole.insert(frameOf(n));
        std::size_t wrong = 0;
        for (const auto &a : all.back())
            wrong += !whole.count(a.nibbles);
        for (const uint64_t n : {c.lost, c.corrupted, c.duplicated, c.delayed, c.reordered})
            CHECK(n > 15 && n < 120);
        CHECK(all.back().size() == 400 - c.lost + c.duplicated);
        CHECK(wrong > 0 && wrong <= c.corrupted + c.duplicated);
    }
    CHECK(all[0].size() == all[1].size());
    for (std::size_t i = 0; i < all[0].size(); ++i)
        CHECK(all[0][i].first == all[1][i].first && all[0][i].nibbles == all[1][i].nibbles);
    bool differs = all[0].size() != all[2].size();
    for (std::size_t i = 0; !differs && i < all[0].size(); ++i)
        differs = all[0][i].nibbles != all[2][i].nibbles;
    CHECK(differs);
}

/// Check that frames from writePcap come again, in the same ticks, on another wire.
void replay(const std::string &path) {
    std::vector<Passage> passages;
    for (uint64_t tick : {uint64_t{3000}, uint64_t{40001}, uint64_t{175} * 2000000 + 7}) {
        Passage p;
        p.sentFirst = tick;
        p.nibbles = frameOf(static_cast<unsigned>(tick % 256));
        passages.push_back(p);
    }
    writePcap(path, passages, 175);
    const auto frames = readPcap(path, 175);
    CHECK(frames.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(frames[i].tick == passages[i].sentFirst);
        CHECK(frames[i].bytes == frameBytes(passages[i].nibbles));
    }
    Line line({70, 9, 0});
    const std::string option = "replay=" + path;
    line.suffer(with({option.c_str()}));
    const auto got = pass(line, 1, 24, true);
    CHECK(got.size() == 3); // the third comes after the end
    CHECK(got[0].nibbles == frameOf(0) && got[1].nibbles == passages[0].nibbles);
    CHECK(got[2].first >= 40001 && got[2].nibbles == passages[1].nibbles);
}

/// A capture without check sequences gets them; one frame that has its own says that all have.
void checkSequences(const std::string &path) {
    Passage whole, spoilt;
    whole.nibbles = frameOf(1);
    spoilt.nibbles = frameOf(2);
    spoilt.nibbles.back() ^= 1;
    const auto bytes = frameBytes(spoilt.nibbles);
    writePcap(path, {spoilt}, 175);
    CHECK(readPcap(path, 175)[0].bytes.size() == bytes.size() + 4);
    writePcap(path, {spoilt, whole}, 175);
    const auto both = readPcap(path, 175);
    CHECK(both[0].bytes == bytes && both[1].bytes == frameBytes(whole.nibbles));
}

void refusals(const std::string &path) {
    const std::string option = "script=" + path;
    for (const char *bad : {"lose=2", "lose=x", "loss=0.1", "delay_ticks=0", "replay=/none"})
        CHECK_REFUSED(UserError, with({bad}));
    for (const char *bad :
         {"frame 3 drop", "frame 3", "frame 3 lose 4", "frame -3 lose", "frame 3 delay",
          "frame 3 delay -1", "inject 5 123", "inject 5 12 34", "inject 5 xy", "lose 3"}) {
        std::ofstream(path) << "frame 2 lose\n" << bad << "\n";
        CHECK_REFUSED(UserError, with({option.c_str()}));
    }
}

/// Three stations; ticks of carrier and collision, and what a bystander gets.
void segment() {
    EtherSegment s(70);
    const unsigned a = s.attach(0), b = s.attach(500), c = s.attach(2000);
    const Bytes nibbles = frameOf(1);
    for (std::size_t i = 0; i <= nibbles.size(); ++i)
        s.send(a, 1000 + 70 * i, i < nibbles.size() ? nibbles[i] : 0, i < nibbles.size());
    const uint64_t end = 1000 + 70 * nibbles.size();
    CHECK(!s.at(c, 2999).carrier && s.next(c, 2999) == 3000);
    Bytes got;
    for (uint64_t t = 3000; t != EtherSegment::never; t = s.next(c, t)) {
        const auto pins = s.at(c, t);
        CHECK(pins.carrier == (t < end + 2000) && !pins.collision);
        if (pins.strobe && pins.nibble.valid)
            got.push_back(pins.nibble.data);
    }
    CHECK(got == nibbles);
    CHECK(s.passed.size() == 1 && !s.passed[0].error && s.passed[0].station == a);
    // b begins when a's signal is not there yet: both learn of it, each when the other arrives
    s.send(a, 50000, 5, true);
    s.send(b, 50400, 5, true);
    CHECK(!s.at(a, 50899).collision && s.at(a, 50900).collision);
    CHECK(!s.at(b, 50499).collision && s.at(b, 50500).collision);
    CHECK(!s.at(c, 51999).collision && s.at(c, 52000).collision); // two at once
    s.send(a, 50070, 0, false);
    s.send(b, 50470, 0, false);
    CHECK(s.passed.size() == 3 && s.passed[1].error && s.passed[2].error && s.collisions == 2);
    CHECK_REFUSED(UserError, s.attach(500));
}

/// Carrier and collisions that change in the tick behind a station's own doing, or a strobe's.
void turns() {
    EtherSegment x(70);
    const unsigned a = x.attach(0), b = x.attach(500), c = x.attach(2000);
    // who begins within another's signal sees its collision in the next tick
    x.send(a, 90000, 5, true);
    CHECK(x.at(b, 90500).carrier);
    x.send(b, 90550, 5, true);
    CHECK(x.next(b, 90550) == 90551 && x.at(b, 90551).collision);
    CHECK(x.at(b, 90570).strobe);
    x.send(b, 90620, 0, false);
    CHECK(x.next(b, 90620) == 90621 && !x.at(b, 90621).collision);
    x.send(a, 91400, 0, false);
    // a signal that comes between the last nibble's end and the strobe that shows it
    x.send(a, 120000, 5, true);
    CHECK(x.next(c, 121999) == 122000 && x.at(c, 122000).carrier);
    x.send(a, 120070, 0, false);
    x.send(b, 120620, 7, true);
    CHECK(x.at(c, 122070).strobe && !x.at(c, 122120).strobe); // carrier again
    CHECK(x.at(c, 122140).strobe && x.next(c, 122140) == 122190);
    const auto pins = x.at(c, 122190);
    CHECK(pins.strobe && pins.nibble.valid && pins.nibble.data == 7);
    x.send(b, 120690, 0, false);
}

} // namespace

int main(int, char **argv) {
    const std::string folder = argv[1];
    script(folder + "/script");
    late(folder + "/script");
    chance();
    replay(folder + "/wire.pcap");
    checkSequences(folder + "/wire.pcap");
    refusals(folder + "/bad");
    segment();
    turns();
}
