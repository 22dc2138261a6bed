// SPDX-License-Identifier: BSD-2-Clause
// The C functions of lance.h for one chip.
#include "lance.h"

#include <algorithm>

#include "controller.h"
#include "ranges.h"

namespace {

thread_local std::string refusal;

}

extern "C" {

lance *lance_new(const lance_config *config, uint8_t *memory, size_t size) {
    refusal = mcpi::outOfRange(*config);
    return refusal.empty() ? new lance(*config, memory, size) : nullptr;
}

const char *lance_refusal(void) {
    return refusal.c_str();
}

void lance_free(lance *chip) {
    if (chip && chip->segment) {
        auto &chips = chip->segment->chips;
        chips.erase(std::remove(chips.begin(), chips.end(), chip), chips.end());
    }
    delete chip;
}

uint64_t lance_access(lance *chip, uint64_t address, int write, uint64_t data, int quad,
                      int *error) {
    VLanceOnTc &t = *chip->top;
    if (chip->segment && chip->opened) // its inputs belong to the tick that comes now
        chip->close(chip->segment->now - chip->now);
    t.io_io_cmd_payload_address = address;
    t.io_io_cmd_payload_write = write != 0;
    t.io_io_cmd_payload_quad = quad != 0;
    t.io_io_cmd_payload_data = data;
    t.io_io_cmd_valid = 1;
    for (bool taken = false; !taken;) {
        taken = t.io_io_cmd_ready; // a register's doing: the same all through the tick
        chip->tick();
        if (chip->opened)
            chip->close(1);
    }
    t.io_io_cmd_valid = 0;
    do {
        chip->tick();
        if (chip->opened)
            chip->close(1);
    } while (!chip->accessDone);
    if (chip->segment)
        chip->wake = chip->now;
    if (error)
        *error = chip->accessFailed;
    return chip->accessData;
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
    return chip->segment ? chip->segment->now : chip->now;
}

uint64_t lance_active(const lance *chip) {
    return chip->active;
}

int lance_interrupt(const lance *chip) {
    return chip->top->io_interrupt;
}

uint64_t lance_rose(const lance *chip) {
    return chip->rose;
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

void lance_lose_carrier(lance *chip, uint32_t ticks) {
    chip->loseCarrier = ticks;
}

size_t lance_sent(lance *chip, uint8_t *nibbles, size_t room, uint64_t *first, uint64_t *last) {
    if (chip->sent.empty())
        return 0;
    const lance::Passage passage = std::move(chip->sent.front());
    chip->sent.pop_front();
    std::copy_n(passage.nibbles.begin(), std::min(room, passage.nibbles.size()), nibbles);
    if (first)
        *first = passage.first;
    if (last)
        *last = passage.last;
    return passage.nibbles.size();
}

void lance_set_dma_latency(lance *chip, uint32_t ticks) {
    chip->config.dma_latency = ticks;
}

void lance_fail_reads(lance *chip, int fail) {
    chip->failReads = fail != 0;
}

void lance_watch_dma(lance *chip, void (*function)(void *, const lance_dma *), void *context) {
    chip->watch = function;
    chip->watcher = context;
}

void lance_watch_line(lance *chip, void (*function)(void *, uint64_t, int), void *context) {
    chip->watchLine = function;
    chip->lineWatcher = context;
}

uint64_t lance_astray(const lance *chip) {
    return chip->astray;
}

uint64_t lance_evaluations(const lance *chip) {
    return chip->evaluations;
}
}
