// SPDX-License-Identifier: BSD-2-Clause
// A switch between lines that this test sends on and hears: a frame's port, and its tick.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "network/switch.h"
#include "test/check.h"

using namespace mcpi;

namespace {

constexpr uint64_t nibble = 70, cable = 9, latency = 500, gap = 24 * nibble;
constexpr unsigned ports = 3;
constexpr uint64_t all = 0xFFFFFFFFFFFF, group = 0x01, a = 0x02, b = 0x04, c = 0x06; // stations

using Bytes = std::vector<uint8_t>;

/// A frame of `size` bytes with its check sequence.
Bytes frame(uint64_t to, uint64_t from, std::size_t size = 64, uint8_t filling = 0) {
    Bytes bytes(size - 4, filling);
    for (unsigned n = 0; n < 6; ++n) {
        bytes[n] = static_cast<uint8_t>(to >> 8 * n);
        bytes[6 + n] = static_cast<uint8_t>(from >> 8 * n);
    }
    return withFcs(bytes);
}

uint64_t onGrid(uint64_t tick) {
    return (tick + nibble - 1) / nibble * nibble;
}

struct Heard {
    uint64_t first; ///< tick of its first bit at the station
    Bytes bytes;
};

/// Stations 0, 1, … at the ports of a switch.
class Bench {
  public:
    /// `window`: so many ticks the switch goes on at once.
    explicit Bench(std::size_t queue = 8, uint64_t window = nibble + cable)
        : unit({nibble, latency, queue}), window_(window) {
        for (unsigned n = 0; n < ports; ++n) {
            in_[n] = std::make_unique<Line>(LineConfig{nibble, cable, 0});
            out_[n] = std::make_unique<Line>(LineConfig{nibble, cable, 0});
            unit.attach(*out_[n], *in_[n]);
        }
    }
    /// The station sends the frame from `tick` on; `error`: with an error of the MII in it.
    void sends(unsigned port, uint64_t tick, const Bytes &bytes, bool error = false) {
        const auto nibbles = frameNibbles(bytes);
        for (std::size_t n = 0; n <= nibbles.size(); ++n)
            sent_.push_back({tick + n * nibble, port, n < nibbles.size() ? nibbles[n] : uint8_t{0},
                             n < nibbles.size(), error && n == 20});
    }
    /// Frames that the stations have heard by `end`.
    std::array<std::vector<Heard>, ports> run(uint64_t end = 3'000'000) {
        std::stable_sort(sent_.begin(), sent_.end(),
                         [](const Sent &x, const Sent &y) { return x.tick < y.tick; });
        auto next = sent_.begin();
        for (uint64_t tick = 0; tick < end; tick += window_) {
            for (; next != sent_.end() && next->tick < tick + window_; ++next)
                in_[next->port]->send(next->tick, next->data, next->enable, next->error);
            unit.advance(tick + window_);
        }
        std::array<std::vector<Heard>, ports> heard;
        for (unsigned n = 0; n < ports; ++n)
            for (const Passage &one : out_[n]->passed)
                heard[n].push_back({one.receivedFirst, frameBytes(one.nibbles)});
        return heard;
    }

    Switch unit;

  private:
    struct Sent {
        uint64_t tick;
        unsigned port;
        uint8_t data;
        bool enable, error;
    };
    uint64_t window_;
    std::array<std::unique_ptr<Line>, ports> in_, out_;
    std::vector<Sent> sent_;
};

/// Tick in which the switch has a frame of `size` bytes whole whose first bit was sent in `tick`.
uint64_t whole(uint64_t tick, std::size_t size) {
    return onGrid(tick + nibble + cable) + (16 + 2 * size) * nibble;
}

void learnsAndForwards() {
    Bench bench;
    const Bytes unknown = frame(b, a), answer = frame(a, b, 100), own = frame(b, c);
    bench.sends(0, 1000, unknown);
    bench.sends(1, 100'003, answer);
    bench.sends(1, 200'000, own); // b is behind this port itself
    bench.sends(2, 300'000, frame(all, c, 64, 1));
    bench.sends(2, 400'000, frame(group, c, 64, 2));
    bench.sends(2, 500'000, frame(b, a, 64, 3)); // a has moved
    bench.sends(1, 600'000, frame(a, b, 64, 4));
    const auto heard = bench.run();
    CHECK(heard[0].size() == 3 && heard[1].size() == 4 && heard[2].size() == 2);
    CHECK(heard[1][0].bytes == unknown && heard[2][0].bytes == unknown);
    CHECK(heard[0][0].bytes == answer);
    CHECK(heard[0][1].bytes[20] == 1 && heard[1][1].bytes[20] == 1);
    CHECK(heard[0][2].bytes[20] == 2 && heard[1][2].bytes[20] == 2);
    CHECK(heard[1][3].bytes[20] == 3);
    CHECK(heard[2][1].bytes[20] == 4);
    const Switch::Counts &counts = bench.unit.counts;
    CHECK(counts.flooded == 3 && counts.forwarded == 3 && counts.filtered == 1);
    CHECK(counts.damaged == 0 && counts.dropped == 0);
    // to the tick: whole, latency, then the receiver's grid
    CHECK(heard[1][0].first == onGrid(whole(1000, 64) + latency + nibble + cable));
    CHECK(heard[0][0].first == onGrid(whole(100'003, 100) + latency + nibble + cable));
    CHECK(bench.unit.empty());
}

void dropsDamaged() {
    Bench bench;
    Bytes wrong = frame(b, a);
    wrong[30] ^= 1;
    bench.sends(0, 0, wrong);
    bench.sends(0, 100'000, frame(b, a, 63));
    bench.sends(0, 200'000, frame(b, a, 64));
    bench.sends(0, 300'000, frame(b, a, 1518));
    bench.sends(0, 600'000, frame(b, a, 1519));
    bench.sends(0, 900'000, frame(b, a), true);
    bench.sends(0, 1'000'000, frame(b, a, 65));
    const auto heard = bench.run();
    CHECK(heard[0].empty() && heard[1].size() == 3 && heard[2].size() == 3);
    CHECK(heard[1][0].bytes.size() == 64 && heard[1][1].bytes.size() == 1518);
    CHECK(heard[1][2].bytes.size() == 65);
    CHECK(bench.unit.counts.damaged == 4);
}

/// Two stations send to the third at once, six frames each: the port is the bottleneck.
Bench queued(std::size_t queue, uint64_t window = nibble + cable) {
    Bench bench(queue, window);
    bench.sends(2, 0, frame(all, c)); // the switch learns where c is
    for (unsigned n = 0; n < 6; ++n) {
        const uint64_t tick = 100'000 + n * ((16 + 2 * 64) * nibble + gap);
        bench.sends(0, tick, frame(c, a, 64, static_cast<uint8_t>(n)));
        bench.sends(1, tick, frame(c, b, 64, static_cast<uint8_t>(16 + n)));
    }
    return bench;
}

void queues() {
    Bench bench = queued(100);
    const auto heard = bench.run();
    CHECK(heard[2].size() == 12 && bench.unit.counts.dropped == 0);
    const uint64_t first = onGrid(whole(100'000, 64) + latency + nibble + cable);
    for (unsigned n = 0; n < 12; ++n) {
        CHECK(heard[2][n].bytes[20] == n / 2 + 16 * (n % 2)); // ports take turns, 0 first
        CHECK(heard[2][n].first == first + n * ((16 + 2 * 64) * nibble + gap));
    }
    // A pair comes as often as a frame leaves, so a frame more waits each time: 2, 3, then no more.
    Bench small = queued(3);
    CHECK(small.run()[2].size() == 8 && small.unit.counts.dropped == 4);
    Bench least = queued(1);
    CHECK(least.run()[2].size() == 6 && least.unit.counts.dropped == 6);
}

void windows() {
    const auto one = queued(3).run();
    for (const uint64_t window : {1, 7, 79}) {
        const auto other = queued(3, window).run();
        for (unsigned n = 0; n < ports; ++n) {
            CHECK(other[n].size() == one[n].size());
            for (std::size_t k = 0; k < one[n].size(); ++k)
                CHECK(other[n][k].first == one[n][k].first && other[n][k].bytes == one[n][k].bytes);
        }
    }
}

} // namespace

int main() {
    learnsAndForwards();
    dropsDamaged();
    queues();
    windows();
    return 0;
}
