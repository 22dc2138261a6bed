// SPDX-License-Identifier: BSD-2-Clause
// The instruction-set model next to the RTL: every retirement is executed again and compared.
//
// The model takes facts that it cannot know from the RTL's own result: the values of I/O loads, of
// loads from the LANCE window and from all blocks that DMA has written, RPCC and HIRR, when an
// interrupt or a machine check came, and that DMA took a lock flag there. Everything else it
// computes. Of a machine that translates, which fetches miss the I-cache is reported too: they
// alone ask the ITB. That an ITB_MISS or ITB_ACV is right, and that a hit is one, the model says.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "alpha/cpu.h"
#include "base/error.h"
#include "base/loader.h"
#include "base/machine.h"
#include "base/retirement.h"
#include "fetched_blocks.h"

namespace mcpi {

/// RTL and model differ: the whole report.
struct Mismatch : RunError {
    using RunError::RunError;
};

class Lockstep {
  public:
    /// `reproduce` is the line printed with a mismatch.
    Lockstep(const Machine &machine, unsigned node, std::string reproduce);

    /// The same bytes as the node's RAM, before `start`.
    void place(const Segment &segment);
    void start();
    /// DMA writes into the block of `physical`; before a load that may see it retires.
    void dmaWrites(uint64_t physical);
    /// Mismatch when the RTL did something else.
    void retired(uint64_t tick, const Retirement &r);
    /// `missed`: the fetch of what it stands for missed the I-cache.
    void trapped(uint64_t tick, uint16_t vector, uint64_t exceptionAddress, bool missed = false);

    /// RunError with the last retirements and the model's registers; `what` went wrong.
    [[noreturn]] void mismatch(uint64_t tick, const std::string &what) const;
    /// The lock of LDx_L is broken by somebody's write; say so before the STx_C retires.
    void loseLock() { cpu_.loseLock(); }
    /// The model as it stands.
    const alpha::Cpu &cpu() const { return cpu_; }
    /// Description of the instruction that has retired last.
    const alpha::Effect &effect() const { return cpu_.effect(); }
    /// DMA has written no byte at `physical` that the model has not seen or overwritten since.
    bool knows(uint64_t physical) const;
    /// Blocks that DMA has written, each time.
    uint64_t dmaWrites() const { return dmaWrites_; }
    /// RAM as the model has it.
    const uint8_t *memory() { return ram_.data(); }

    /// No memory is where the instruction at `pc` (bit 0: PAL mode) is fetched from.
    bool beyondMemory(uint64_t pc) const;
    /// An instruction has overflowed, and its trap is still to come.
    bool overflowDue() const { return trapExpected_ || trapWaits_; }

    uint64_t instructions = 0;
    /// The last twenty retirements and traps of the RTL, a line each, newest last.
    std::string recent() const;

  private:
    /// Answers with what the RTL got.
    struct RtlOutside : alpha::Outside {
        uint64_t value = 0;
        bool read(uint64_t, unsigned, uint64_t &v) override {
            v = value;
            return true;
        }
        bool write(uint64_t, unsigned, uint64_t) override { return true; }
        uint64_t interrupts() override { return value; }
        uint64_t cycles() override { return value; }
    };
    struct Past {
        uint64_t tick;
        Retirement r;
        bool trap;
    };

    /// In the LANCE window, or in a block that DMA has written.
    bool ofDma(uint64_t physical) const {
        return (physical >= windowBase_ && physical < windowEnd_) ||
               (physical < ram_.size() && dmaBlocks_[physical / blockBytes_]);
    }
    void knowsNow(const Retirement &r, const alpha::Effect &m);
    uint64_t fetchedFrom(uint64_t tick, uint64_t pc, bool missed);
    void fetchFails(uint64_t tick, uint16_t vector);
    void flushed(uint32_t instruction);
    void tellLoad(const Retirement &r, const alpha::Effect &m);
    void tellLostLock(const Retirement &r);
    void remember(uint64_t tick, const Retirement &r, bool trap);

    const Machine &machine_;
    unsigned node_;
    std::string reproduce_;
    uint64_t windowBase_, windowEnd_;
    unsigned blockBytes_;
    alpha::Ram ram_;
    std::vector<bool> dmaBlocks_;
    std::unordered_map<uint64_t, std::vector<bool>> unknown_; ///< bytes of a block, by its number
    uint64_t dmaWrites_ = 0;
    RtlOutside outside_;
    alpha::Cpu cpu_;
    FetchedBlocks blocks_;
    bool ideal_;
    /// With ideal memory: where a page, of a mode, of an ASN, was when it was fetched from last.
    std::map<std::array<uint64_t, 3>, uint64_t> pages_;
    bool trapExpected_ = false; ///< an arithmetic trap, before the next instruction
    bool trapWaits_ = false;    ///< one that a machine check came before; it ends PAL mode first
    bool trapInPal_ = false;    ///< either was PALcode's own
    uint64_t summaryBefore_ = 0;
    std::array<Past, 20> past_{};
    uint64_t pastCount_ = 0;
};

} // namespace mcpi
