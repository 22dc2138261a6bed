// SPDX-License-Identifier: BSD-2-Clause
// Several chips on one cable, event by event: each is evaluated only in the ticks in which it has
// something to do or its pins change.
#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "controller.h"
#include "link/pcap.h"

void lance_segment::step(uint64_t end) {
    uint64_t next = lance::never;
    for (const lance *chip : chips)
        next = std::min(next, chip->wake);
    if (next >= end) {
        now = end;
        return;
    }
    for (lance *chip : chips) {
        if (chip->wake != next)
            continue;
        if (chip->opened)
            chip->close(next - chip->now);
        chip->wake = next + chip->open();
    }
    for (lance *chip :
         chips) // what somebody sends in this tick is seen in the next at the earliest
        chip->wake = std::min(chip->wake, std::max(next + 1, cable.next(chip->station, next)));
    now = next + 1;
    collect();
}

void lance_segment::collect() {
    for (auto &attempt : cable.passed) {
        ++counts.attempts;
        counts.collided += attempt.error;
        if (attempt.error)
            continue;
        counts.bits += 4 * attempt.nibbles.size();
        whole.push_back(std::move(attempt));
    }
    cable.passed.clear();
    counts.collisions = cable.collisions;
}

extern "C" {

lance_segment *lance_segment_new(uint32_t nibble_ticks) {
    return new lance_segment(nibble_ticks);
}

void lance_segment_free(lance_segment *segment) {
    delete segment;
}

int lance_segment_attach(lance_segment *segment, lance *chip, uint32_t place) {
    try {
        chip->station = segment->cable.attach(place);
    } catch (const mcpi::UserError &) {
        return -1;
    }
    lance_set_half_duplex(chip, 1);
    chip->segment = segment;
    segment->chips.push_back(chip);
    return 0;
}

uint64_t lance_segment_advance(lance_segment *segment, uint64_t ticks, unsigned events) {
    const uint64_t end = segment->now + ticks;
    segment->interruptRose = false;
    while (segment->now < end && !((events & LANCE_ON_INTERRUPT) && segment->interruptRose))
        segment->step(end);
    return end - segment->now;
}

uint64_t lance_segment_now(const lance_segment *segment) {
    return segment->now;
}

lance_segment_counts lance_segment_counted(const lance_segment *segment) {
    return segment->counts;
}

int lance_segment_pcap(lance_segment *segment, const char *path, uint64_t ticks_per_us) {
    try {
        mcpi::writePcap(path, std::move(segment->whole), ticks_per_us);
    } catch (const mcpi::UserError &) {
        return -1;
    }
    segment->whole.clear();
    return 0;
}
}
