// SPDX-License-Identifier: BSD-2-Clause
// The exact engine's TURBOchannel, IOASIC and LANCE behind the functions of sim/lib/lance/lance.h,
// so that a history can be had from both, tick by tick. Memory answers `dma_latency` ticks later.
#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "engine/ioasic.h"
#include "lib/lance/lance.h"

namespace {

using namespace mcpi;
using exact::never;

struct Cable : Port {
    struct Frame {
        uint64_t first = 0, last = 0;
        std::vector<uint8_t> nibbles;
    };
    std::deque<Frame> sent;
    Frame current;

    void send(uint64_t tick, uint8_t data, bool enable, bool) override {
        if (enable) {
            if (current.nibbles.empty())
                current.first = tick;
            current.nibbles.push_back(data);
        } else if (!current.nibbles.empty()) {
            current.last = tick;
            sent.push_back(std::move(current));
            current = {};
        }
    }
    uint64_t next(uint64_t) const override { return never; }
    Pins at(uint64_t) override { return {}; }
};

exact::LanceTimes times(const lance_config &c) {
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
    return t;
}

} // namespace

struct lance : exact::DmaMemory {
    lance(const lance_config &config, uint8_t *bytes, size_t size)
        : latency(std::max<uint32_t>(1, config.dma_latency)), nibble(config.nibble_ticks),
          memory(bytes), size(size), bus(7, 512), card(times(config), config.station) {}

    void ask(uint64_t tick, const exact::Burst &burst, uint16_t mask) override {
        const uint64_t piece = burst.address & ~uint64_t{15};
        const lance_dma what = {tick, piece, burst.write, burst.write ? mask : 0u,
                                burst.data.data()};
        if (watch)
            watch(watcher, &what);
        if (piece + 16 > size)
            return;
        writes = burst.write;
        for (unsigned i = 0; i < 16; ++i)
            if (!burst.write)
                read[i] = memory[piece + i];
            else if (mask >> i & 1)
                memory[piece + i] = burst.data[i];
        answerAt = tick + latency;
    }

    void live() {
        if (answerAt == now)
            writes ? bus.memoryWritten(now) : bus.memoryRead(now, read, card);
        while (!arriving.empty() && arriving.front().first == now) {
            card.hears(now, arriving.front().second);
            arriving.pop_front();
        }
        if (card.next() <= now)
            card.at(now, bus, cable);
        if (bus.next() <= now)
            bus.at(now, card, *this);
        bus.drive(now, card.line());
        if (bus.line() && !line) {
            rose = now;
            hasRisen = true;
        }
        line = bus.line();
    }

    void tick() {
        try {
            if (refused.empty())
                live();
        } catch (const std::exception &error) {
            refused = error.what();
            end = now;
        }
        ++now;
    }

    uint32_t latency, nibble;
    uint8_t *memory;
    size_t size;
    exact::TcHost bus;
    exact::Ioasic card;
    Cable cable;
    uint64_t now = 0, answerAt = never, rose = 0, free = 0;
    bool line = false, hasRisen = false, writes = false;
    std::array<uint8_t, 16> read{};
    std::deque<std::pair<uint64_t, Pins>> arriving;
    void (*watch)(void *, const lance_dma *) = nullptr;
    void *watcher = nullptr;
    std::string refused; ///< what the engine does not have; time goes on without it
    uint64_t end = never;
};

extern "C" {

lance *lance_new(const lance_config *config, uint8_t *memory, size_t size) {
    return new lance(*config, memory, size);
}
const char *lance_refusal(void) {
    return "";
}
void lance_free(lance *chip) {
    delete chip;
}

uint64_t lance_access(lance *chip, uint64_t address, int write, uint64_t data, int quad,
                      int *error) {
    chip->tick();
    chip->bus.begin(chip->now - 1, {address, data, write != 0, quad != 0},
                    (address >> 29 & 7) != 7);
    for (bool answered = false; !answered && chip->refused.empty();) {
        const uint64_t tick = chip->now;
        chip->tick();
        answered = chip->bus.answers(tick);
    }
    chip->tick(); // as long as the RTL's library has the answer
    bool failed = false;
    const uint64_t value = chip->bus.take(failed);
    *error = failed;
    return value;
}

uint64_t lance_advance(lance *chip, uint64_t ticks, unsigned events) {
    chip->hasRisen = false;
    const size_t sent = chip->cable.sent.size();
    while (ticks) {
        chip->tick();
        --ticks;
        if (((events & LANCE_ON_INTERRUPT) && chip->hasRisen) ||
            ((events & LANCE_ON_SENT) && chip->cable.sent.size() != sent))
            break;
    }
    return ticks;
}

uint64_t lance_now(const lance *chip) {
    return chip->now;
}
uint64_t lance_active(const lance *chip) {
    return chip->now;
}
int lance_interrupt(const lance *chip) {
    return chip->line;
}
uint64_t lance_rose(const lance *chip) {
    return chip->rose;
}

void lance_receive(lance *chip, uint64_t tick, const uint8_t *nibbles, size_t count) {
    uint64_t at = std::max({tick, chip->now + 1, chip->free});
    Pins pins;
    pins.strobe = true;
    for (size_t i = 0; i < count; ++i, at += chip->nibble) {
        pins.nibble = {static_cast<uint8_t>(nibbles[i] & 15), true, (nibbles[i] & 16) != 0};
        chip->arriving.push_back({at, pins});
    }
    pins.nibble = {};
    chip->arriving.push_back({at, pins});
    chip->free = at + chip->nibble;
}

size_t lance_sent(lance *chip, uint8_t *nibbles, size_t room, uint64_t *first, uint64_t *last) {
    if (chip->cable.sent.empty())
        return 0;
    const auto frame = std::move(chip->cable.sent.front());
    chip->cable.sent.pop_front();
    std::copy_n(frame.nibbles.begin(), std::min(room, frame.nibbles.size()), nibbles);
    *first = frame.first;
    *last = frame.last;
    return frame.nibbles.size();
}

void lance_watch_dma(lance *chip, void (*function)(void *, const lance_dma *), void *context) {
    chip->watch = function;
    chip->watcher = context;
}
void lance_set_dma_latency(lance *chip, uint32_t ticks) {
    chip->latency = ticks;
}
uint64_t lance_astray(const lance *) {
    return 0;
}

// A full-duplex wire, memory that answers.
void lance_set_half_duplex(lance *, int) {}
void lance_collide(lance *, uint32_t) {}
void lance_forget_collisions(lance *) {}
void lance_lose_carrier(lance *, uint32_t) {}

/// The tick in which the engine met something that it does not have; never: ~0.
uint64_t lance_end(const lance *chip) {
    return chip->end;
}
const char *lance_missing(const lance *chip) {
    return chip->refused.c_str();
}
}
