// SPDX-License-Identifier: BSD-2-Clause
// A Verilated chip, its surroundings, and the clock that passes it. A clock is in two halves:
// `open` evaluates the tick `now`, `close` passes it and those behind it in which nothing happens.
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "VLanceOnTc.h"
#include "lance.h"
#include "link/segment.h"
#include "verilated.h"

struct lance {
    static constexpr uint64_t never = ~uint64_t{0};

    struct Strobe {
        uint64_t tick;
        uint8_t nibble;
        bool valid, error;
    };
    struct Passage {
        uint64_t first = 0, last = 0;
        std::vector<uint8_t> nibbles;
    };

    lance(const lance_config &config, uint8_t *memory, size_t size);
    ~lance();

    /// Evaluates the tick `now`; for how many ticks from it on nothing happens, 1 at least.
    uint64_t open();
    void close(uint64_t ticks);
    /// Step one clock, on the segment if there is one: a tick, and the ticks after it that pass the
    /// same way, up to `most`.
    uint64_t step(uint64_t most);
    /// The tick `now`, alone.
    void tick();

    lance_config config;
    uint8_t *memory;
    size_t size;
    VerilatedContext context;
    std::unique_ptr<VLanceOnTc> top;
    uint64_t now = 0, active = 0, astray = 0, rose = 0, evaluations = 0;
    bool interruptRose = false, line = false;
    bool accessDone = false; ///< in the tick that was opened last, with the two below
    bool accessFailed = false;
    uint64_t accessData = 0;

    std::deque<Strobe> arriving;
    uint64_t wireFree = 0; // the receive direction, from this tick on

    std::deque<uint32_t> plan;
    uint32_t loseCarrier = ~uint32_t{0};
    std::deque<Passage> sent;
    Passage sending;
    uint64_t collideAt = never, carrierOn = never, carrierOff = never, carrierLost = never;

    uint64_t answerAt = never;
    uint32_t answer[4] = {};
    bool failReads = false, answerFails = false;
    void (*watch)(void *, const lance_dma *) = nullptr;
    void *watcher = nullptr;
    void (*watchLine)(void *, uint64_t, int) = nullptr;
    void *lineWatcher = nullptr;

    lance_segment *segment = nullptr;
    unsigned station = 0;
    bool opened = false;
    uint64_t wake = 0; ///< on a segment: when it must be opened again

  private:
    uint64_t untilOutside() const;
    void drive();
    void driveOwnWire();
    void observe();
    void dma();
    void transmits();
};

struct lance_segment {
    explicit lance_segment(uint32_t nibbleTicks) : cable(nibbleTicks) {}
    /// All chips that have something to do in the next tick in which one has, if before `end`.
    void step(uint64_t end);
    void collect();

    mcpi::EtherSegment cable;
    std::vector<lance *> chips;
    uint64_t now = 0;
    bool interruptRose = false;
    std::vector<mcpi::Passage> whole;
    lance_segment_counts counts{};
};
