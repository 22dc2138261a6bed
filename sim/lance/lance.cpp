// SPDX-License-Identifier: BSD-2-Clause
#include "lance.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "VLanceOnTc.h"
#include "verilated.h"

namespace {

constexpr uint64_t never = ~uint64_t{0};
constexpr uint32_t noCollision = ~uint32_t{0};
constexpr uint64_t carrierDelay = 12; // ticks from the chip's own bits to its carrier

struct Strobe {
    uint64_t tick;
    uint8_t nibble;
    bool valid, error;
};

struct Passage {
    uint64_t first = 0, last = 0;
    std::vector<uint8_t> nibbles;
};

} // namespace

struct lance {
    lance_config config;
    uint8_t *memory;
    size_t size;
    VerilatedContext context;
    std::unique_ptr<VLanceOnTc> top;
    uint64_t now = 0, active = 0, astray = 0;
    bool interruptRose = false;

    std::deque<Strobe> arriving;
    uint64_t wireFree = 0; // the receive direction, from this tick on

    std::deque<uint32_t> plan;
    std::deque<Passage> sent;
    Passage sending;
    uint64_t collideAt = never, carrierOn = never, carrierOff = never;

    uint64_t answerAt = never;
    uint32_t answer[4] = {};

    /// One clock: a tick, and those behind it that pass the same way, up to `most`.
    uint64_t step(uint64_t most);
    uint64_t untilOutside() const;
    void drive();
    void observe();
    void dma();
};

/// Ticks to the next thing that comes from outside.
uint64_t lance::untilOutside() const {
    uint64_t next = std::min(answerAt, std::min(carrierOn, carrierOff));
    next = std::min(next, collideAt);
    if (!arriving.empty())
        next = std::min(next, arriving.front().tick);
    return next == never ? never : next > now ? next - now : 0;
}

void lance::drive() {
    VLanceOnTc &t = *top;
    t.io_mii_rxStrobe = 0;
    if (!arriving.empty() && arriving.front().tick == now) {
        const Strobe &s = arriving.front();
        t.io_mii_rxStrobe = 1;
        t.io_mii_rxDv = s.valid;
        t.io_mii_rxEr = s.error;
        t.io_mii_rxd = s.nibble;
        if (config.half_duplex)
            t.io_mii_crs = s.valid;
        arriving.pop_front();
        active = now;
    }
    t.io_dma_rsp_valid = answerAt == now;
    if (answerAt == now) {
        std::memcpy(&t.io_dma_rsp_payload_data[0], answer, sizeof answer);
        answerAt = never;
    }
    if (carrierOn == now) {
        t.io_mii_crs = 1;
        carrierOn = never;
    }
    if (carrierOff == now) {
        t.io_mii_crs = t.io_mii_col = 0;
        carrierOff = never;
    }
    if (collideAt == now) {
        t.io_mii_col = 1;
        collideAt = never;
    }
}

void lance::dma() {
    VLanceOnTc &t = *top;
    const uint64_t address = t.io_dma_cmd_payload_address;
    active = now;
    answerAt = now + std::max<uint32_t>(1, config.dma_latency);
    std::memset(answer, 0, sizeof answer);
    if (address + 16 > size) {
        ++astray;
        return;
    }
    if (t.io_dma_cmd_payload_write) {
        const auto *data = reinterpret_cast<const uint8_t *>(&t.io_dma_cmd_payload_data[0]);
        for (int i = 0; i < 16; ++i)
            if (t.io_dma_cmd_payload_mask >> i & 1)
                memory[address + i] = data[i];
    } else {
        std::memcpy(answer, memory + address, sizeof answer);
    }
}

void lance::observe() {
    VLanceOnTc &t = *top;
    if (t.io_events_interrupt)
        interruptRose = true;
    if (t.io_dma_cmd_valid && t.io_dma_cmd_ready)
        dma();
    if (!t.io_mii_txStrobe)
        return;
    active = now;
    if (!t.io_mii_txEn) {
        if (sending.nibbles.empty())
            return;
        sending.last = now;
        sent.push_back(std::move(sending));
        sending = {};
        collideAt = never;
        carrierOff = now + carrierDelay;
        return;
    }
    if (sending.nibbles.empty()) {
        sending.first = now;
        uint32_t collision = noCollision;
        if (config.half_duplex && !plan.empty()) {
            collision = plan.front();
            plan.pop_front();
        }
        collideAt = collision == noCollision ? never : now + std::max<uint32_t>(1, collision);
        if (config.half_duplex)
            carrierOn = now + carrierDelay;
    }
    sending.nibbles.push_back(t.io_mii_txd);
}

uint64_t lance::step(uint64_t most) {
    VLanceOnTc &t = *top;
    const uint64_t outside = untilOutside();
    drive();
    t.clk = 0;
    t.io_skip = 0;
    t.eval();
    uint64_t ticks = 1;
    if (outside != 0) {
        ticks = std::min<uint64_t>({t.io_nextEvent, outside, most});
        ticks = std::max<uint64_t>(1, ticks);
        if (ticks > 1) {
            t.io_skip = static_cast<uint16_t>(ticks - 1);
            t.eval();
        }
    }
    observe();
    t.clk = 1;
    t.eval();
    now += ticks;
    return ticks;
}

extern "C" {

lance *lance_new(const lance_config *config, uint8_t *memory, size_t size) {
    auto *chip = new lance{};
    chip->config = *config;
    chip->memory = memory;
    chip->size = size;
    chip->top = std::make_unique<VLanceOnTc>(&chip->context, "lance");
    VLanceOnTc &t = *chip->top;
    t.io_tick = 1;
    t.io_dma_cmd_ready = 1;
    t.io_timing_poll = config->poll;
    t.io_timing_word = config->word;
    t.io_timing_gap = config->gap;
    t.io_timing_arbitration = config->arbitration;
    t.io_timing_csr = config->csr;
    t.io_timing_demand = config->demand;
    t.io_timing_setup = config->setup;
    t.io_timing_start = config->start;
    t.io_timing_heartbeat = config->heartbeat;
    t.io_timing_status = config->status;
    t.io_timing_interrupt = config->interrupt;
    t.io_timing_transmitThreshold = config->transmit_threshold;
    t.io_pollPhase = config->poll_phase;
    t.io_heartbeat = config->sqe_test;
    t.io_halfDuplex = config->half_duplex;
    t.io_station = config->station;
    t.reset = 1;
    for (int i = 0; i < 4; ++i) {
        t.clk = 0;
        t.eval();
        t.clk = 1;
        t.eval();
    }
    t.reset = 0;
    return chip;
}

void lance_free(lance *chip) {
    if (chip)
        chip->top->final();
    delete chip;
}

uint64_t lance_access(lance *chip, uint64_t address, int write, uint64_t data, int quad,
                      int *error) {
    VLanceOnTc &t = *chip->top;
    t.io_io_cmd_payload_address = address;
    t.io_io_cmd_payload_write = write != 0;
    t.io_io_cmd_payload_quad = quad != 0;
    t.io_io_cmd_payload_data = data;
    t.io_io_cmd_valid = 1;
    for (;;) {
        const bool taken = t.io_io_cmd_ready; // a register's doing: the same all through the tick
        chip->step(1);
        if (taken)
            break;
    }
    t.io_io_cmd_valid = 0;
    for (;;) {
        t.clk = 0;
        t.eval();
        const bool done = t.io_io_rsp_valid;
        const uint64_t result = t.io_io_rsp_payload_data;
        const bool failed = t.io_io_rsp_payload_error;
        chip->step(1);
        if (done) {
            if (error)
                *error = failed;
            return result;
        }
    }
}

uint64_t lance_advance(lance *chip, uint64_t ticks, unsigned events) {
    chip->interruptRose = false;
    const size_t sent = chip->sent.size();
    while (ticks) {
        ticks -= chip->step(ticks);
        if (((events & LANCE_ON_INTERRUPT) && chip->interruptRose) ||
            ((events & LANCE_ON_SENT) && chip->sent.size() != sent))
            break;
    }
    return ticks;
}

uint64_t lance_now(const lance *chip) {
    return chip->now;
}

uint64_t lance_active(const lance *chip) {
    return chip->active;
}

int lance_interrupt(const lance *chip) {
    return chip->top->io_interrupt;
}

void lance_set_half_duplex(lance *chip, int half) {
    chip->config.half_duplex = half != 0;
    chip->top->io_halfDuplex = half != 0;
}

void lance_receive(lance *chip, uint64_t tick, const uint8_t *nibbles, size_t count) {
    uint64_t at = std::max({tick, chip->now + 1, chip->wireFree});
    for (size_t i = 0; i < count; ++i, at += chip->config.nibble_ticks)
        chip->arriving.push_back(
            {at, static_cast<uint8_t>(nibbles[i] & 15), true, (nibbles[i] & 16) != 0});
    chip->arriving.push_back({at, 0, false, false});
    chip->wireFree = at + chip->config.nibble_ticks;
}

void lance_collide(lance *chip, uint32_t ticks) {
    chip->plan.push_back(ticks);
}

void lance_forget_collisions(lance *chip) {
    chip->plan.clear();
}

size_t lance_sent(lance *chip, uint8_t *nibbles, size_t room, uint64_t *first, uint64_t *last) {
    if (chip->sent.empty())
        return 0;
    const Passage passage = std::move(chip->sent.front());
    chip->sent.pop_front();
    std::copy_n(passage.nibbles.begin(), std::min(room, passage.nibbles.size()), nibbles);
    if (first)
        *first = passage.first;
    if (last)
        *last = passage.last;
    return passage.nibbles.size();
}

uint64_t lance_astray(const lance *chip) {
    return chip->astray;
}
}
