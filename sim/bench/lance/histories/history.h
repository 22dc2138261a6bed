// SPDX-License-Identifier: BSD-2-Clause
// A random history: a driver, the wire and faults, on the RTL's card and the exact engine's.
//
// Both cards do the same in each tick: DMA commands, the interrupt line, every nibble of every
// attempt on the wire. After each step, when the chip lies still, the register that RAP selects and
// all of memory are compared too. Each step has its own random numbers, so steps can be left out of
// a history that fails.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bins.h"
#include "card.h"
#include "lance/registers.h"
#include "monitor.h"
#include "random.h"
#include "setting.h"

namespace mcpi::histories {

/// Counts of a history, for the statistics.
struct Tally {
    uint64_t steps = 0, ticks = 0, evaluations = 0, attempts = 0, received = 0, commands = 0;
    uint64_t stops = 0, dead = 0, slow = 0, restarts = 0;
    uint64_t csr0[16] = {}, rx[16] = {}, tx[16] = {}, tx3[16] = {}; ///< by bit, as the chip set it
    Bins bins;
};

class History {
  public:
    History(const Setting &setting, uint64_t seed, Tally &tally);
    /// Steps 0 to `count` - 1 but those left out. Throws Difference.
    void run(unsigned count, const std::vector<bool> &without);
    const std::vector<std::string> &story() const { return story_; }

    /// Ticks without DMA and bits, spacing and all waits of the chip included.
    static constexpr uint64_t still = 3000;
    static constexpr uint32_t windowBase = 0x20000, memorySize = 0x40000;

  private:
    struct Frame {
        Bytes data;
        bool dribble, spoilt;
    };
    // Accesses
    void io(uint32_t offset, unsigned value);
    unsigned ioRead(uint32_t offset);
    void rap(unsigned value);
    void rdp(unsigned value);
    void reset(bool active);
    void setWord(uint32_t a, unsigned value);
    void setBytes(uint32_t a, const Bytes &data);
    // The driver
    void start();
    void restart();
    void stop();
    unsigned high();
    void giveRx(unsigned i, bool own = true);
    void refill();
    /// Into the transmit ring, `ahead` entries after the next; how many it takes. `size`: one
    /// buffer of so many bytes, else anything goes. `plan`: its collisions, by nibble, are added.
    unsigned giveFrame(unsigned ahead, unsigned size, std::vector<unsigned> *plan);
    void planCollisions(const std::vector<unsigned> &plan);
    // The wire
    Frame frame(unsigned size = 0);
    void receive(const Frame &frame, uint64_t after = 0);
    // Steps, steps.cpp
    void step(unsigned number);
    void transmit(bool demand, bool receives);
    void sends(const std::vector<unsigned> &plan);
    void writeRegisters();
    void several();
    void defers();
    void losesCarrier();
    void memoryDies();
    void slowMemory();
    void stopsInFlight();
    // Comparison
    std::vector<Bytes> wait();
    void settle();
    void compare();
    void count();
    void say(std::string what) { story_.push_back(std::move(what)); }
    /// Draws what `--plain` leaves as it is; the other draws do not depend on it.
    bool also(double probability) { return !setting_.plain && more_.chance(probability); }
    template <typename... Words> void hit(const char *input, Words... words) {
        tally_.bins.hit(input, words...);
    }

    Setting setting_;
    uint64_t seed_;
    Tally &tally_;
    Random random_, more_;
    Bytes memory_;
    Window window_;
    Monitor monitor_;
    std::unique_ptr<Card> card_;
    std::unique_ptr<Window> mirror_; ///< of the exact card
    bool fast_ = false, fromReset_ = false, half_ = false, dead_ = false;
    unsigned rap_ = 0;
    am7990::Ring rx_, tx_; ///< their indices are the chip's
    uint8_t padr_[6] = {};
    unsigned rxSize_ = 64, rxAt_ = 0; ///< of receive buffers; after the border of 16 bytes
    uint32_t latency_ = 10, poll_ = 0;
    unsigned csr0Before_ = 0;
    uint64_t stepBegan_ = 0;
    std::vector<std::string> story_;
};

} // namespace mcpi::histories
