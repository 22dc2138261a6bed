// SPDX-License-Identifier: BSD-2-Clause
// The card of a history: the RTL's, and the exact engine's next to it, which is given the same and
// must do the same in the same tick.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "lib/lance/exact/exact.h"
#include "window.h"

namespace mcpi::histories {

/// liblance-exact.so: the functions of lance.h on the exact engine's card.
class ExactLibrary {
  public:
    /// UserError when it cannot be loaded.
    explicit ExactLibrary(const std::string &path);

    decltype(&lance_free) free;
    decltype(&lance_access) access;
    decltype(&lance_advance) advance;
    decltype(&lance_now) now, active;
    decltype(&lance_interrupt) interrupt;
    decltype(&lance_set_half_duplex) setHalfDuplex;
    decltype(&lance_receive) receive;
    decltype(&lance_collide) collide, loseCarrier, setLatency;
    decltype(&lance_forget_collisions) forgetCollisions;
    decltype(&lance_sent) sent;
    decltype(&lance_fail_reads) failReads;
    decltype(&lance_watch_dma) watchDma;
    decltype(&lance_watch_line) watchLine;
    decltype(&lance_exact_new) make;
    decltype(&lance_exact_state) state;
};

/// The functions are those of lance.h. Each throws Difference when the two cards differ.
class Card {
  public:
    struct Sent {
        uint64_t first = 0, last = 0;
        Bytes nibbles;
    };

    /// UserError when the configuration has no room in the chip.
    Card(const lance_config &config, Bytes &memory, bool cLance, const ExactLibrary *exact);
    ~Card();
    Card(const Card &) = delete;
    Card &operator=(const Card &) = delete;

    /// Called for each DMA command; may call `setLatency`.
    void watch(void (*function)(void *, const lance_dma *), void *context);
    /// `quad`: bytes of a register, bits 35:32 name them.
    uint64_t access(uint64_t address, bool write, uint64_t data, int &error, bool quad = false);
    void advance(uint64_t ticks);
    uint64_t now() const { return lance_now(rtl_); }
    uint64_t active() const { return lance_active(rtl_); }
    bool interrupt() const { return lance_interrupt(rtl_) != 0; }
    uint64_t rose() const { return lance_rose(rtl_); }
    uint64_t evaluations() const { return lance_evaluations(rtl_); }
    bool astray() const { return lance_astray(rtl_) != 0; }
    void setHalfDuplex(bool half);
    void receive(uint64_t tick, const Bytes &nibbles);
    void collide(uint32_t ticks);
    void forgetCollisions();
    void loseCarrier(uint32_t ticks);
    bool sent(Sent &frame);
    void setLatency(uint32_t ticks);
    void failReads(bool fail);
    /// Memory of the exact card; the driver's writes go there too.
    Bytes &mirror() { return mirror_; }
    void compareMemory() const;
    /// State of the exact card, and so of both.
    lance_state state() const;

  private:
    struct Command {
        uint64_t tick, address;
        bool write;
        uint32_t mask, latency; ///< that memory takes for it
        Bytes data;
    };
    struct Change {
        uint64_t tick;
        int level;
    };
    static void rtlCommand(void *self, const lance_dma *dma);
    static void exactCommand(void *self, const lance_dma *dma);
    static void rtlChange(void *self, uint64_t tick, int level);
    static void exactChange(void *self, uint64_t tick, int level);
    void counts(const char *whose, const lance_dma &dma);
    void differs(const std::string &what);
    void check();

    Bytes &memory_, mirror_;
    const ExactLibrary *library_;
    lance *rtl_ = nullptr, *exact_ = nullptr;
    void (*watch_)(void *, const lance_dma *) = nullptr;
    void *watcher_ = nullptr;
    uint32_t latency_;
    std::deque<Command> commands_; ///< of the RTL, which the exact card has not made yet
    std::deque<Change> changes_;   ///< of its line
    std::string difference_;       ///< the first
    unsigned ahead_ = 0;           ///< DMA commands since an access began; 0: there is none
};

} // namespace mcpi::histories
