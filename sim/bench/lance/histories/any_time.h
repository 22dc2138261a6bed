// SPDX-License-Identifier: BSD-2-Clause
// A random history in which anything is written at any time: the RTL's card next to the exact
// engine's, which must do the same in the same tick.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "card.h"
#include "history.h"
#include "lance/registers.h"
#include "random.h"
#include "registers.h"

namespace mcpi::histories {

class AnyTime {
  public:
    AnyTime(const Setting &setting, uint64_t seed, Tally &tally);
    /// Steps 0 to `count` - 1 but those left out. Throws Difference.
    void run(unsigned count, const std::vector<bool> &without);
    const std::vector<std::string> &story() const { return story_; }

  private:
    static void watch(void *self, const lance_dma *dma);
    void draw(lance_config &config);
    // The driver
    void io(uint32_t offset, unsigned value, unsigned mask = 15);
    void readSomething();
    void rdp(unsigned value) { io(RDP, value); }
    void csr(unsigned number, unsigned value);
    void setWord(uint32_t a, unsigned value);
    void setBytes(uint32_t a, const Bytes &data);
    void block();
    void bringUp();
    void giveTransmit();
    void giveReceive(unsigned i);
    // Acts that come at any time
    void act();
    void writeCsr0();
    void writeOthers();
    void writePointer();
    void writeSsr();
    void writeSimr();
    void resets();
    void five();
    void memoryChanges();
    void collides();
    void receive();
    void between();
    void collect();
    /// Where the chip is, as far as its driver and its DMA say.
    const char *state() const;
    void hit(const char *input, const std::string &value) { tally_.bins.hit(input, value); }
    void say(std::string what) { story_.push_back(std::move(what)); }

    Setting setting_;
    uint64_t seed_;
    Tally &tally_;
    Random random_;
    Bytes memory_;
    std::unique_ptr<Card> card_;
    uint32_t poll_ = 0, latency_ = 0;
    bool half_ = false, sent_ = false;
    uint8_t padr_[6] = {};
    unsigned rxLog_ = 0, txLog_ = 0, next_ = 0, rap_ = 0;
    uint32_t at_ = 0; ///< of the initialization block
    enum { stopped, reads, runs } state_ = stopped;
    unsigned words_ = 0; ///< of the block that have been read
    std::vector<std::string> story_;
};

} // namespace mcpi::histories
