// SPDX-License-Identifier: BSD-2-Clause
// The exact engine's TURBOchannel, IOASIC and LANCE behind the functions of sim/lib/lance/lance.h,
// so that a history can be had from both, tick by tick. Memory answers `dma_latency` ticks later.
#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "exact.h"
#include "lance/card.h"
#include "lib/lance/ranges.h"
#include "link/segment.h"

namespace {

using namespace mcpi;
using exact::never;

thread_local std::string refusal;

/// The wire as sim/lib/lance drives the RTL's: what is planned comes to the tick.
struct Cable : Port {
    static constexpr uint64_t carrierDelay = EtherSegment::loopback;
    struct Frame {
        uint64_t first = 0, last = 0;
        std::vector<uint8_t> nibbles;
    };

    void send(uint64_t tick, uint8_t data, bool enable, bool) override {
        active = tick;
        if (!enable) {
            if (current.nibbles.empty())
                return;
            current.last = tick;
            sent.push_back(std::move(current));
            current = {};
            collideAt = carrierLost = never;
            carrierOff = tick + carrierDelay;
            return;
        }
        if (current.nibbles.empty()) {
            current.first = tick;
            if (half)
                attempt(tick);
        }
        current.nibbles.push_back(data);
    }
    void attempt(uint64_t tick) {
        if (!plan.empty()) {
            const uint32_t in = plan.front();
            collideAt = in == ~0u ? never : tick + std::max(1u, in);
            plan.pop_front();
        }
        carrierOn = tick + carrierDelay;
        if (loseCarrier != ~0u)
            carrierLost = tick + std::max<uint64_t>(carrierDelay + 1, loseCarrier);
        loseCarrier = ~0u;
    }
    uint64_t next(uint64_t) const override {
        const uint64_t strobe = arriving.empty() ? never : arriving.front().first;
        return std::min({strobe, carrierOn, carrierOff, carrierLost, collideAt});
    }
    Pins at(uint64_t tick) override {
        pins.strobe = false;
        if (!arriving.empty() && arriving.front().first == tick) {
            pins.strobe = true;
            pins.nibble = arriving.front().second;
            if (half)
                pins.carrier = pins.nibble.valid;
            arriving.pop_front();
            active = tick;
        }
        const auto comes = [tick](uint64_t &when) {
            const bool now = when == tick;
            if (now)
                when = never;
            return now;
        };
        if (comes(carrierOn))
            pins.carrier = true;
        if (comes(carrierLost))
            pins.carrier = false;
        if (comes(carrierOff))
            pins.carrier = pins.collision = false;
        if (comes(collideAt))
            pins.collision = true;
        return pins;
    }

    bool half = false;
    Pins pins;
    uint64_t active = 0; ///< the last tick with something on the wire
    std::deque<std::pair<uint64_t, Nibble>> arriving;
    std::deque<uint32_t> plan; ///< collisions of the attempts to come
    uint32_t loseCarrier = ~0u;
    uint64_t carrierOn = never, carrierOff = never, carrierLost = never, collideAt = never;
    std::deque<Frame> sent;
    Frame current;
};

exact::LanceTimes times(const lance_config &c, bool cLance) {
    exact::LanceTimes t;
    t.poll = c.poll;
    t.word = c.word;
    t.gap = c.gap;
    t.arbitration = c.arbitration;
    t.csr = c.csr;
    t.demand = c.demand;
    t.setup = c.setup;
    t.start = c.start;
    t.heartbeat = c.heartbeat;
    t.status = c.status;
    t.interrupt = c.interrupt;
    t.pollPhase = c.poll_phase;
    t.nibble = c.nibble_ticks;
    t.threshold = c.transmit_threshold;
    t.sqeTest = c.sqe_test;
    t.halfDuplex = c.half_duplex;
    t.cLance = cLance;
    t.station = c.station;
    return t;
}

} // namespace

struct lance : exact::DmaMemory {
    lance(const lance_config &config, uint8_t *bytes, size_t size, bool cLance, bool pmad)
        : latency(config.dma_latency), nibble(config.nibble_ticks), memory(bytes), size(size),
          bus(7, 512, pmad ? 0 : 7),
          card(times(config, cLance),
               pmad ? exact::LanceWiring::pmad : exact::LanceWiring::ioasic) {
        cable.half = config.half_duplex;
    }

    void request(uint64_t tick, const exact::Burst &burst, uint16_t mask) override {
        const uint64_t piece = burst.address & ~uint64_t{15};
        const lance_dma what = {tick, piece, burst.write, burst.write ? mask : 0u,
                                burst.data.data()};
        cable.active = tick;
        if (watch)
            watch(watcher, &what);
        answerAt = tick + std::max(1u, latency);
        writes = burst.write;
        fails = failReads && !writes;
        read = {};
        if (piece + 16 > size) {
            ++astray;
            return;
        }
        for (unsigned i = 0; i < 16; ++i)
            if (!writes)
                read[i] = memory[piece + i];
            else if (mask >> i & 1)
                memory[piece + i] = burst.data[i];
    }

    void handleTick() {
        if (answerAt == now) {
            answerAt = never;
            if (writes)
                bus.memoryWritten(now);
            else
                bus.memoryRead(now, read, fails, card.option());
        }
        if (cable.next(now) <= now)
            card.hears(now, cable.at(now));
        if (card.next() <= now)
            card.at(now, bus, cable);
        if (bus.next() <= now)
            bus.at(now, card.option(), *this);
        bus.drive(now, card.line());
        if (bus.line() == line)
            return;
        line = !line;
        if (line) {
            rose = now;
            hasRisen = true;
        }
        if (watchLine)
            watchLine(lineWatcher, now, line);
    }

    /// The tick in which something happens next.
    uint64_t next() const { return std::min({answerAt, cable.next(now), card.next(), bus.next()}); }

    void tick() {
        handleTick();
        ++now;
    }

    uint32_t latency, nibble;
    uint8_t *memory;
    size_t size;
    exact::TcHost bus;
    exact::Card card;
    Cable cable;
    uint64_t now = 0, answerAt = never, rose = 0, free = 0, astray = 0;
    bool line = false, hasRisen = false, writes = false, failReads = false, fails = false;
    std::array<uint8_t, 16> read{};
    void (*watch)(void *, const lance_dma *) = nullptr;
    void *watcher = nullptr;
    void (*watchLine)(void *, uint64_t, int) = nullptr;
    void *lineWatcher = nullptr;
};

extern "C" {

lance *lance_exact_new(const lance_config *config, uint8_t *memory, size_t size, int cLance,
                       int pmad) {
    refusal = outOfRange(*config);
    return refusal.empty() ? new lance(*config, memory, size, cLance, pmad) : nullptr;
}
int lance_exact_classify(lance *chip) {
    return chip->card.classify() ? 0 : -1;
}
void lance_exact_state(const lance *chip, lance_state *state) {
    const exact::LanceState s = chip->card.state();
    *state = {s.csr0, s.mode, s.rxIndex, s.txIndex, s.busy || chip->cable.next(chip->now) != never};
}
lance *lance_new(const lance_config *config, uint8_t *memory, size_t size) {
    return lance_exact_new(config, memory, size, 0, 0);
}
const char *lance_refusal(void) {
    return refusal.c_str();
}
void lance_free(lance *chip) {
    delete chip;
}

uint64_t lance_access(lance *chip, uint64_t address, int write, uint64_t data, int quad,
                      int *error) {
    chip->tick();
    chip->bus.begin(chip->now - 1, {address, data, write != 0, quad != 0},
                    (address >> 29 & 7) != chip->card.slot());
    for (bool answered = false; !answered;) {
        const uint64_t tick = chip->now;
        chip->tick();
        answered = chip->bus.answers(tick);
    }
    chip->tick(); // as long as the RTL's library has the answer
    bool failed = false;
    const uint64_t value = chip->bus.take(failed);
    if (error)
        *error = failed;
    return value;
}

uint64_t lance_advance(lance *chip, uint64_t ticks, unsigned events) {
    chip->hasRisen = false;
    const size_t sent = chip->cable.sent.size();
    const uint64_t end = chip->now + ticks;
    while (chip->now < end) {
        chip->now = std::min(end, std::max(chip->now, chip->next()));
        if (chip->now == end)
            break;
        chip->tick();
        if (((events & LANCE_ON_INTERRUPT) && chip->hasRisen) ||
            ((events & LANCE_ON_SENT) && chip->cable.sent.size() != sent))
            break;
    }
    return end - chip->now;
}

uint64_t lance_now(const lance *chip) {
    return chip->now;
}
uint64_t lance_active(const lance *chip) {
    return chip->cable.active;
}
int lance_interrupt(const lance *chip) {
    return chip->line;
}
uint64_t lance_rose(const lance *chip) {
    return chip->rose;
}

void lance_receive(lance *chip, uint64_t tick, const uint8_t *nibbles, size_t count) {
    uint64_t at = std::max({tick, chip->now + 1, chip->free});
    for (size_t i = 0; i < count; ++i, at += chip->nibble)
        chip->cable.arriving.push_back(
            {at, {static_cast<uint8_t>(nibbles[i] & 15), true, (nibbles[i] & 16) != 0}});
    chip->cable.arriving.push_back({at, {}});
    chip->free = at + chip->nibble;
}

size_t lance_sent(lance *chip, uint8_t *nibbles, size_t room, uint64_t *first, uint64_t *last) {
    auto &sent = chip->cable.sent;
    if (sent.empty())
        return 0;
    const auto frame = std::move(sent.front());
    sent.pop_front();
    std::copy_n(frame.nibbles.begin(), std::min(room, frame.nibbles.size()), nibbles);
    if (first)
        *first = frame.first;
    if (last)
        *last = frame.last;
    return frame.nibbles.size();
}

void lance_watch_dma(lance *chip, void (*function)(void *, const lance_dma *), void *context) {
    chip->watch = function;
    chip->watcher = context;
}
void lance_watch_line(lance *chip, void (*function)(void *, uint64_t, int), void *context) {
    chip->watchLine = function;
    chip->lineWatcher = context;
}
void lance_set_dma_latency(lance *chip, uint32_t ticks) {
    chip->latency = ticks;
}
void lance_fail_reads(lance *chip, int fail) {
    chip->failReads = fail != 0;
}
uint64_t lance_astray(const lance *chip) {
    return chip->astray;
}

void lance_set_half_duplex(lance *chip, int half) {
    chip->cable.half = half != 0;
    chip->card.setHalfDuplex(half != 0);
}
void lance_collide(lance *chip, uint32_t ticks) {
    chip->cable.plan.push_back(ticks);
}
void lance_forget_collisions(lance *chip) {
    chip->cable.plan.clear();
}
void lance_lose_carrier(lance *chip, uint32_t ticks) {
    chip->cable.loseCarrier = ticks;
}
}
