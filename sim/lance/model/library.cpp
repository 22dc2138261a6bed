// SPDX-License-Identifier: BSD-2-Clause
// The model behind the C functions of lance.h: the IOASIC's registers, the wire, the time of polls.
#include "library.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>

#include "chip.h"
#include "lib/lance/ranges.h"

using namespace mcpi::lance_model;

namespace {

constexpr uint64_t slot7Sparse = 0x1F0000000;
constexpr uint64_t RDP = 0xC0000, RAP = 0xC0004, POINTER = 0x40020, SSR = 0x40100, SIMR = 0x40120;
constexpr unsigned dmaOn = 1 << 16, outOfReset = 1 << 8, lanceLine = 1 << 8;
constexpr unsigned noReady = 4480; ///< ticks: 25.6 us, until the chip gives up
constexpr unsigned burst = 16, sendSilo = 48;
constexpr uint64_t never = ~uint64_t{0};

thread_local std::string refusal;

struct Arrival {
    uint64_t first, last; ///< ticks of the first nibble and after the last one
    Bytes data;
    bool whole = false; ///< there is a start delimiter, and a byte after it
    bool dribble = false, spoilt = false;
};

Arrival arrival(const uint8_t *nibbles, size_t count) {
    Arrival a{};
    size_t at = 0;
    while (at < count && (nibbles[at] & 15) != 0xD)
        ++at;
    for (++at; at + 1 < count; at += 2)
        a.data.push_back(static_cast<uint8_t>((nibbles[at] & 15) | (nibbles[at + 1] & 15) << 4));
    a.whole = !a.data.empty();
    a.dribble = at + 1 == count;
    a.spoilt = std::any_of(nibbles, nibbles + count, [](uint8_t n) { return n & 16; });
    return a;
}

} // namespace

struct lance {
    lance(const lance_config &c, uint8_t *memory, bool cLance)
        : config(c), cLance(cLance), window(memory, 0) {
        outside.halfDuplex = config.half_duplex;
        outside.sqeTest = config.sqe_test;
        outside.heartbeatChecked = config.heartbeat != 0;
        chip = std::make_unique<Chip>(window, outside, cLance);
        chip->reset(true);
    }

    /// An INIT goes on as soon as time passes.
    void begins() {
        outside.dead = !(ssr & dmaOn) || failing || config.dma_latency > noReady;
        chip->initialize();
    }

    /// A poll or a demand.
    void works() {
        begins();
        outside.deferred = outside.halfDuplex && !chip->internalLoopback() && !arriving.empty() &&
                           arriving.front().first <= now;
        times();
        chip->transmit();
        chip->pollReceive();
        outside.deferred = false;
    }

    /// At which byte a transmission runs dry, and a received frame runs over, if memory takes so
    /// long for each burst.
    void times() {
        outside.underflow.reset();
        outside.overflow.reset();
        const uint64_t byte = 2 * config.nibble_ticks, latency = config.dma_latency;
        if (latency <= burst * byte)
            return;
        unsigned fetched = sendSilo;
        for (uint64_t done = latency; done <= fetched * byte; done += latency)
            fetched += burst;
        outside.underflow = fetched;
        const unsigned silo = cLance ? 64 : 48;
        unsigned stored = 0;
        uint64_t done = burst * byte + latency; // a burst is asked for when it is full
        for (; done <= (stored + silo) * byte; done += latency)
            stored += burst;
        outside.overflow = {stored + silo, stored};
    }

    void write(uint64_t offset, unsigned value) {
        if (offset == POINTER)
            window.base = value >> 20 << 17;
        if (offset == SIMR)
            simr = value;
        if (offset == SSR) {
            ssr = value;
            chip->reset(!(ssr & outOfReset));
            deaf = deaf || !(ssr & outOfReset);
        }
        if (offset == RAP)
            chip->writeRap(value & 0xFFFF);
        if (offset == RDP) {
            const bool was = chip->csr[0] & STRT, demand = !chip->rap && value & TDMD;
            chip->writeRdp(value & 0xFFFF);
            if (!chip->rap && value & STOP)
                deaf = true;
            if (chip->csr[0] & STRT && !was)
                poll = now + config.poll_phase;
            if (demand && chip->csr[0] & STRT)
                works();
        }
    }

    unsigned read(uint64_t offset) const {
        return offset == RDP ? chip->readRdp() : offset == RAP ? chip->rap : 0;
    }

    /// A frame that began before the chip listened is not heard.
    void listens() {
        if (!(chip->csr[0] & RXON) || chip->internalLoopback())
            deaf = true;
        else if (deaf) {
            deaf = false;
            listensFrom = now;
        }
    }

    void advance(uint64_t end) {
        begins();
        for (;;) {
            listens();
            const uint64_t heard = arriving.empty() ? never : arriving.front().last;
            const uint64_t next = std::min(heard, chip->csr[0] & STRT ? poll : never);
            if (next > end)
                break;
            now = next;
            if (next == poll) {
                poll += config.poll;
                works();
            }
            if (next == heard) {
                const Arrival frame = std::move(arriving.front());
                arriving.pop_front();
                if (!deaf && frame.first > listensFrom && frame.whole) {
                    times();
                    chip->receive(frame.data, frame.dribble, frame.spoilt);
                }
            }
        }
        now = end;
    }

    lance_config config;
    bool cLance;
    Window window;
    Outside outside;
    std::unique_ptr<Chip> chip;
    unsigned ssr = 0, simr = 0;
    bool failing = false, deaf = true;
    uint64_t now = 0, poll = never, listensFrom = 0, wireFree = 0;
    std::deque<Arrival> arriving;
};

extern "C" {

lance *lance_model_new(const lance_config *config, uint8_t *memory, size_t, int c_lance) {
    refusal = mcpi::outOfRange(*config);
    return refusal.empty() ? new lance(*config, memory, c_lance != 0) : nullptr;
}

lance *lance_new(const lance_config *config, uint8_t *memory, size_t size) {
    return lance_model_new(config, memory, size, 0);
}

const char *lance_refusal(void) {
    return refusal.c_str();
}

void lance_free(lance *chip) {
    delete chip;
}

uint64_t lance_access(lance *chip, uint64_t address, int write, uint64_t data, int, int *error) {
    const uint64_t offset = (address - slot7Sparse) / 2;
    if (error)
        *error = 0;
    if (write)
        chip->write(offset, static_cast<unsigned>(data));
    return write ? 0 : chip->read(offset);
}

uint64_t lance_advance(lance *chip, uint64_t ticks, unsigned) {
    chip->advance(chip->now + ticks);
    return 0;
}

uint64_t lance_now(const lance *chip) {
    return chip->now;
}

uint64_t lance_active(const lance *chip) {
    return chip->arriving.empty() ? 0 : chip->now;
}

int lance_interrupt(const lance *chip) {
    return chip->chip->line() && chip->simr & lanceLine;
}

void lance_set_half_duplex(lance *chip, int half) {
    chip->config.half_duplex = chip->outside.halfDuplex = half != 0;
}

void lance_receive(lance *chip, uint64_t tick, const uint8_t *nibbles, size_t count) {
    Arrival a = arrival(nibbles, count);
    a.first = std::max({tick, chip->now + 1, chip->wireFree});
    a.last = a.first + count * chip->config.nibble_ticks;
    chip->wireFree = a.last + chip->config.nibble_ticks;
    chip->arriving.push_back(std::move(a));
}

void lance_collide(lance *chip, uint32_t ticks) {
    chip->outside.collisions.push_back(ticks == ~0u ? ~0u : ticks / chip->config.nibble_ticks);
}

void lance_forget_collisions(lance *chip) {
    chip->outside.collisions.clear();
}

void lance_lose_carrier(lance *chip, uint32_t ticks) {
    chip->outside.carrierLost = ticks != ~0u;
}

size_t lance_sent(lance *chip, uint8_t *nibbles, size_t room, uint64_t *first, uint64_t *last) {
    auto &sent = chip->chip->sent;
    if (sent.empty())
        return 0;
    const Bytes attempt = std::move(sent.front());
    sent.erase(sent.begin());
    std::copy_n(attempt.begin(), std::min(room, attempt.size()), nibbles);
    for (uint64_t *tick : {first, last})
        if (tick)
            *tick = chip->now;
    return attempt.size();
}

void lance_set_dma_latency(lance *chip, uint32_t ticks) {
    chip->config.dma_latency = ticks;
}

void lance_fail_reads(lance *chip, int fail) {
    chip->failing = fail != 0;
}

uint64_t lance_astray(const lance *) {
    return 0;
}
}
