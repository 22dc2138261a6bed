// SPDX-License-Identifier: BSD-2-Clause
// Wire: delays to the tick, frames in both directions, refused disorder; and a pcap of known
// frames.
#include <string>

#include "base/error.h"
#include "link/pcap.h"
#include "link/wire.h"
#include "test/check.h"

using namespace mcpi;

namespace {

/// Send one frame from tick `start`; returns the tick of the first delivered nibble.
uint64_t pass(Line &line, uint64_t start, const std::vector<uint8_t> &nibbles) {
    uint64_t tick = start, first = 0;
    std::vector<uint8_t> got;
    uint64_t expected = 0;
    std::size_t sent = 0;
    while (got.size() < nibbles.size()) {
        const uint64_t now = tick;
        if (sent <= nibbles.size()) {
            const bool enable = sent < nibbles.size();
            line.send(now, enable ? nibbles[sent] : 0, enable, false);
            ++sent;
        }
        tick += 70;
        for (uint64_t at; (at = line.nextStrobe(now)) < tick;) {
            const Nibble n = line.receive(at);
            CHECK(n.valid);
            if (got.empty())
                first = expected = at;
            CHECK(at == expected);
            expected += 70;
            got.push_back(n.data);
        }
    }
    CHECK(got == nibbles);
    // one strobe shows the frame's end; then there is nothing to show
    CHECK(line.nextStrobe(first) == expected);
    CHECK(!line.receive(expected).valid);
    CHECK(line.nextStrobe(expected) == Line::never);
    if (sent <= nibbles.size())
        line.send(tick, 0, false, false);
    return first;
}

void delays() {
    const auto nibbles = frameNibbles(withFcs(std::vector<uint8_t>(60, 0xA5)));
    for (uint64_t phase : {0, 1, 33, 69}) {
        for (uint64_t start : {700, 701, 735, 769}) {
            Line line({70, 9, phase});
            const uint64_t first = pass(line, start, nibbles);
            CHECK(first % 70 == phase);                            // the wire's own grid
            CHECK(first >= start + 79 && first < start + 79 + 70); // nibble, cable, grid
            CHECK(line.passed.size() == 1);
            const Passage &p = line.passed[0];
            CHECK(p.sentFirst == start && p.sentLast == start + 70 * nibbles.size());
            CHECK(p.receivedFirst == first && p.receivedLast == first + 70 * nibbles.size());
            CHECK(frameBytes(p.nibbles).size() == 64);
        }
    }
}

void disorder() {
    Line line({70, 9, 5});
    line.send(100, 5, true, false);
    CHECK_REFUSED(RunError, line.send(171, 5, true, false));
    // a receiver that runs ahead of the lookahead loses a nibble, and that is noticed
    Line late({70, 9, 5});
    CHECK(late.nextStrobe(400) == Line::never);
    late.send(100, 5, true, false);
    CHECK_REFUSED(RunError, late.nextStrobe(400));
}

void bytes() {
    CHECK(crc32(reinterpret_cast<const uint8_t *>("123456789"), 9) == 0xCBF43926);
    CHECK(frameBytes({5, 5, 5}).empty());
    CHECK(frameBytes({5, 0xD, 1}).empty());
    CHECK((frameBytes({5, 0xD, 1, 2}) == std::vector<uint8_t>{0x21}));
}

void capture(const char *path) {
    std::vector<Passage> passages;
    for (uint64_t tick : {uint64_t{175}, uint64_t{1}, uint64_t{175} * 2000000 + 7}) {
        Passage p;
        p.sentFirst = tick;
        p.nibbles = frameNibbles(withFcs(std::vector<uint8_t>(60, static_cast<uint8_t>(tick))));
        passages.push_back(p);
    }
    Passage broken = passages[0];
    broken.nibbles.back() ^= 1;
    passages.push_back(broken);
    Passage nothing = passages[0];
    nothing.nibbles.clear();
    passages.push_back(nothing);
    CHECK(writePcap(path, passages, 175) == 1);
}

} // namespace

int main(int, char **argv) {
    delays();
    disorder();
    bytes();
    capture(argv[1]);
}
