// SPDX-License-Identifier: BSD-2-Clause
#include "controller.h"

#include <algorithm>
#include <cstring>

#include "VLanceOnTc_inputs.h"
#include "base/initial.h"
#include "ranges.h"

namespace {

#define FIELD(name, input, bits)                                                                   \
    static_assert(VLanceOnTc_inputs::input == (bits), "ranges.h has other bits for " #name);
LANCE_INPUTS(FIELD)
#undef FIELD

constexpr uint32_t none = ~uint32_t{0};
constexpr uint64_t carrierDelay = mcpi::EtherSegment::loopback;

} // namespace

lance::lance(const lance_config &c, uint8_t *m, size_t s) : config(c), memory(m), size(s) {
    mcpi::beginAs(context);
    top = std::make_unique<VLanceOnTc>(&context, "lance");
    VLanceOnTc &t = *top;
    t.io_tick = 1;
    t.io_dma_cmd_ready = 1;
    t.io_skip = 0;
    t.io_io_cmd_valid = t.io_dma_rsp_valid = 0;
    t.io_mii_rxStrobe = t.io_mii_rxDv = t.io_mii_rxEr = t.io_mii_rxd = 0;
    t.io_mii_crs = t.io_mii_col = 0;
#define FIELD(name, input, bits) t.input = c.name;
    LANCE_INPUTS(FIELD)
#undef FIELD
    t.reset = 1;
    for (int i = 0; i < 4; ++i) {
        t.clk = 0;
        t.eval();
        t.clk = 1;
        t.eval();
    }
    t.reset = 0;
}

lance::~lance() {
    top->final();
}

/// Ticks to the next thing that comes from outside.
uint64_t lance::untilOutside() const {
    uint64_t next = std::min({answerAt, carrierOn, carrierOff, carrierLost, collideAt});
    if (!arriving.empty())
        next = std::min(next, arriving.front().tick);
    return next == never ? never : next > now ? next - now : 0;
}

void lance::driveOwnWire() {
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
    if (carrierOn == now) {
        t.io_mii_crs = 1;
        carrierOn = never;
    }
    if (carrierLost == now) {
        t.io_mii_crs = 0;
        carrierLost = never;
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

void lance::drive() {
    VLanceOnTc &t = *top;
    t.io_dma_rsp_valid = answerAt == now;
    if (answerAt == now) {
        std::memcpy(&t.io_dma_rsp_payload_data[0], answer, sizeof answer);
        t.io_dma_rsp_payload_error = answerFails;
        answerAt = never;
    }
    if (!segment) {
        driveOwnWire();
        return;
    }
    const auto pins = segment->cable.at(station, now);
    t.io_mii_crs = pins.carrier;
    t.io_mii_col = pins.collision;
    t.io_mii_rxStrobe = pins.strobe;
    t.io_mii_rxDv = pins.nibble.valid;
    t.io_mii_rxd = pins.nibble.data;
    if (pins.strobe)
        active = now;
}

void lance::dma() {
    VLanceOnTc &t = *top;
    const uint64_t address = t.io_dma_cmd_payload_address;
    const auto *data = reinterpret_cast<const uint8_t *>(&t.io_dma_cmd_payload_data[0]);
    const bool write = t.io_dma_cmd_payload_write;
    active = now;
    if (watch) {
        const lance_dma what = {now, address, write, t.io_dma_cmd_payload_mask, data};
        watch(watcher, &what);
    }
    answerAt = now + std::max<uint32_t>(1, config.dma_latency);
    answerFails = failReads && !write;
    std::memset(answer, 0, sizeof answer);
    if (address + 16 > size) {
        ++astray;
        return;
    }
    if (write) {
        for (int i = 0; i < 16; ++i)
            if (t.io_dma_cmd_payload_mask >> i & 1)
                memory[address + i] = data[i];
    } else {
        std::memcpy(answer, memory + address, sizeof answer);
    }
}

void lance::transmits() {
    VLanceOnTc &t = *top;
    active = now;
    if (segment)
        segment->cable.send(station, now, t.io_mii_txd, t.io_mii_txEn);
    if (!t.io_mii_txEn) {
        if (sending.nibbles.empty())
            return;
        sending.last = now;
        sent.push_back(std::move(sending));
        sending = {};
        collideAt = carrierLost = never;
        carrierOff = segment ? never : now + carrierDelay;
        return;
    }
    if (sending.nibbles.empty()) {
        sending.first = now;
        if (config.half_duplex && !segment) {
            if (!plan.empty()) {
                collideAt = plan.front() == none ? never : now + std::max(1u, plan.front());
                plan.pop_front();
            }
            carrierOn = now + carrierDelay;
            if (loseCarrier != none)
                carrierLost = now + std::max<uint64_t>(carrierDelay + 1, loseCarrier);
            loseCarrier = none;
        }
    }
    sending.nibbles.push_back(t.io_mii_txd);
}

void lance::observe() {
    VLanceOnTc &t = *top;
    if (t.io_events_interrupt) {
        interruptRose = true;
        if (segment)
            segment->interruptRose = true;
    }
    if (t.io_interrupt && !line)
        rose = now;
    if (watchLine && line != static_cast<bool>(t.io_interrupt))
        watchLine(lineWatcher, now, t.io_interrupt);
    line = t.io_interrupt;
    if (t.io_dma_cmd_valid && t.io_dma_cmd_ready)
        dma();
    if (t.io_mii_txStrobe)
        transmits();
    accessDone = t.io_io_rsp_valid;
    accessData = t.io_io_rsp_payload_data;
    accessFailed = t.io_io_rsp_payload_error;
}

uint64_t lance::open() {
    VLanceOnTc &t = *top;
    const bool outside = segment || untilOutside() == 0;
    const bool quiet = segment && segment->cable.next(station, now - 1) > now && answerAt > now;
    drive();
    t.clk = 0;
    t.io_skip = 0;
    t.eval();
    observe();
    opened = true;
    if (outside && !quiet)
        return 1;
    return std::max<uint64_t>(1, std::min<uint64_t>(t.io_nextEvent, untilOutside()));
}

void lance::close(uint64_t ticks) {
    VLanceOnTc &t = *top;
    if (ticks > 1) {
        t.io_skip = static_cast<uint16_t>(ticks - 1);
        t.eval();
    }
    t.clk = 1;
    t.eval();
    now += ticks;
    ++evaluations;
    opened = false;
}

uint64_t lance::step(uint64_t most) {
    if (segment) {
        const uint64_t before = segment->now;
        segment->step(before + most);
        return segment->now - before;
    }
    const uint64_t ticks = std::min(open(), most);
    close(ticks);
    return ticks;
}

void lance::tick() {
    if (segment)
        wake = segment->now;
    step(1);
}
