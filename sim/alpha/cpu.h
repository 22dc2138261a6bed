// SPDX-License-Identifier: BSD-2-Clause
// Instruction-set model of the EV4 integer subset: readable, fast enough to run along with every
// simulation, and sharing nothing with the RTL. Facts: ev4.md 1 (encodings, PALcode entries,
// exceptions), docs/reference/contracts.md 2 and 4, docs/explanation/translation.md.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "base/address.h"
#include "base/zeroed.h"
#include "opcode.h"
#include "translation.h"

namespace mcpi::alpha {

/// A program counter: the address bits, and on top of them bit 63, which says that the bits from 42
/// on are ones (the kernel's segment). Sums carry from one into the other (core.md).
constexpr uint64_t place(uint64_t address, uint64_t offset = 0) {
    const uint64_t sum = ((address >> 63) << 34 | (address & physicalMask)) + offset;
    return (sum >> 34 & 1 ? ~uint64_t{0} << 42 : 0) | (sum & physicalMask);
}

/// PALcode entry points: offsets from PAL_BASE (sources/ev4.md 1.4).
enum Vector : uint16_t {
    vectorReset = 0x0000,
    vectorMachineCheck = 0x0020,
    vectorArithmetic = 0x0060,
    vectorInterrupt = 0x00E0,
    vectorDataFault = 0x01E0,
    vectorFetchMiss = 0x03E0,
    vectorFetchFault = 0x07E0,
    vectorDataMiss = 0x08E0,
    vectorDataMissPal = 0x09E0,
    vectorUnaligned = 0x11E0,
    vectorIllegal = 0x13E0,
    vectorFloating = 0x17E0,
    vectorCallPal = 0x2000,
    vectorCallPalUser = 0x3000
};

/// Surroundings of the processor: everything that is not its own RAM.
class Outside {
  public:
    virtual ~Outside() = default;
    /// Read `bytes` (4 or 8) at an I/O address, or beyond RAM; false: nothing answers there,
    /// machine check.
    virtual bool read(uint64_t physical, unsigned bytes, uint64_t &value) = 0;
    virtual bool write(uint64_t physical, unsigned bytes, uint64_t value) = 0;
    /// Interrupt lines, one bit per source (HIRR).
    virtual uint64_t interrupts() = 0;
    /// The cycle counter behind RPCC, 32 bits.
    virtual uint64_t cycles() = 0;
    /// CC_CTL: the counter's value, and whether it goes on.
    virtual void setCycles(uint32_t, bool) {}
};

/// RAM of the machine; `get` and `put` take aligned addresses below `size`. A copy copies the pages
/// that somebody has written.
class Ram {
  public:
    explicit Ram(uint64_t size) : bytes_(size), written_(size / pageBytes + 1) {}
    Ram(const Ram &other);
    Ram &operator=(const Ram &) = delete;

    uint64_t size() const { return bytes_.size(); }
    const uint8_t *data() const { return bytes_.data(); }
    /// For a device that writes anywhere by itself: every page counts as written.
    uint8_t *shared() {
        written_.assign(written_.size(), true);
        return bytes_.data();
    }
    uint64_t get(uint64_t address, unsigned bytes) const {
        if (bytes == 4) {
            int32_t word;
            std::memcpy(&word, data() + address, 4);
            return static_cast<uint64_t>(int64_t{word});
        }
        uint64_t quad;
        std::memcpy(&quad, data() + address, 8);
        return quad;
    }
    void put(uint64_t address, unsigned bytes, uint64_t value) {
        written_[address / pageBytes] = true;
        std::memcpy(&bytes_[address], &value, bytes); // the host is little-endian, as Alpha is
    }
    void put(uint64_t address, const std::vector<uint8_t> &bytes);

  private:
    static constexpr uint64_t pageBytes = 8192;
    Zeroed bytes_;
    std::vector<uint8_t> written_; ///< by page
};

/// Everything one instruction did, in the terms of the RTL's retire port.
struct Effect {
    uint64_t pc = 0; ///< bit 0: PAL mode
    uint32_t instruction = 0;
    bool writes = false; ///< a register other than r31
    unsigned reg = 0;
    uint64_t value = 0;
    bool memory = false, store = false, io = false;
    uint64_t address = 0;  ///< virtual, as computed
    uint64_t physical = 0; ///< where that is
    uint64_t storeData = 0;
    bool trapped = false; ///< the instruction did not retire
    uint16_t vector = 0;
    uint64_t exceptionAddress = 0;
};

/// Internal processor registers the subset has.
struct Internal {
    std::array<uint64_t, 32> temp{}; ///< PAL_TEMP
    uint64_t exceptionAddress = 0, exceptionSummary = 0, palBase = 0;
    uint64_t interruptEnable = 0, status = 0;
    uint64_t iccsr = 7ull << 36;                ///< BPE, JSE, BHE: the predictor is on
    uint64_t faultStatus = 0, faultAddress = 0; ///< MM_CSR, VA
    uint64_t aboxControl = 0, biuControl = 0;
    uint64_t cycleOffset = 0;
    std::array<uint64_t, 2> other{};
};

/// A processor and its RAM. `step` executes one instruction and reports what it did; `run`
/// executes many and reports nothing. Both are the same code.
class Cpu {
  public:
    Cpu(Ram &ram, Outside &outside, const std::optional<TlbShape> &tlbs = {})
        : ram_(&ram), outside_(&outside), tlbs_(tlbs) {
        if (tlbs_)
            translation_.emplace(*tlbs_);
    }
    /// From now on its RAM and what is around it are these: of a copy.
    void belongsTo(Ram &ram, Outside &outside) {
        ram_ = &ram;
        outside_ = &outside;
    }

    /// Act as the reset pin does: PAL mode at `start`, which is in PAL_BASE.
    void reset(uint64_t start);
    /// Execute the next instruction. Interrupts are the caller's: see `interruptDue`.
    const Effect &step();
    /// The same, of the instruction that was fetched from `physical`, whatever the ITB has.
    const Effect &stepFrom(uint64_t physical);
    /// Description of what the last `step` or `stepFrom` did.
    const Effect &effect() const { return effect_; }
    /// Execute up to `limit` instructions; returns how many. Ends early behind one after which the
    /// caller has to look: I/O, the end of PAL mode, sleep, halt.
    uint64_t run(uint64_t limit);
    /// Execute this instruction at the program counter, whatever RAM has there.
    void execute(uint32_t instruction);
    /// The interrupt condition of docs/reference/contracts.md 4.
    bool interruptDue() {
        return !palMode && (outside_->interrupts() & internal.interruptEnable) != 0;
    }
    /// Enter PALcode at `vector`; `exceptionAddress` is what HW_REI goes back to.
    void enter(uint16_t vector, uint64_t exceptionAddress);
    /// The trap of an overflow whose result is written.
    void overflow(uint64_t exceptionAddress);
    /// Somebody else has written into the locked range.
    void loseLock() { lockFlag_ = false; }
    bool lockFlag() const { return lockFlag_; }
    /// Physical address of the 32 bytes that LDx_L named last.
    uint64_t lockedAddress() const { return lockBlock_ << 5; }

    /// Return true if an access outside PAL mode would have user mode.
    bool userMode() const { return !palMode && internal.status & modeBits; }
    /// Return true if PS says user mode, whatever the mode is now.
    bool userStatus() const { return internal.status & modeBits; }
    /// Rights that the access of an instruction wants of its page.
    DataAccess dataAccess(uint32_t instruction) const;
    /// Return true if it is HW_LD or HW_ST of a physical address.
    static bool isPhysical(uint32_t instruction) {
        return isPalAccess(instruction) && instruction >> 15 & 1;
    }
    bool translates() const { return translation_.has_value(); }
    Translation &translation() { return *translation_; }
    const Translation &translation() const { return *translation_; }

    /// Interrupt sources there are: HIER keeps no other bits.
    uint64_t sources = 7;
    uint64_t programCounter() const { return pc | (palMode ? 1 : 0); }

    std::array<uint64_t, 32> r{};
    uint64_t pc = 0; ///< as `place` leaves it, bits 1:0 zero
    bool palMode = true;
    uint64_t waitMask = 0; ///< not zero: asleep until one of these interrupt lines is up
    uint64_t executed = 0; ///< instructions since reset, those that trapped too
    bool halted = false;
    Internal internal;
    Ram &ram() { return *ram_; }
    const Ram &ram() const { return *ram_; }

  private:
    // `watched`: `effect_` is written too.
    template <bool watched> void next();
    template <bool watched> void executeFrom(uint64_t physical);
    template <bool watched> void execute(uint32_t instruction);
    template <bool watched> void set(unsigned reg, uint64_t value) {
        if (reg == 31)
            return;
        r[reg] = value;
        if constexpr (watched) {
            effect_.writes = true;
            effect_.reg = reg;
            effect_.value = value;
        }
    }
    template <bool watched> void load(unsigned ra, uint64_t physical, unsigned bytes, bool locked);
    template <bool watched>
    void store(unsigned ra, uint64_t physical, unsigned bytes, bool conditional);
    template <bool watched> void note(uint64_t address, uint64_t physical, bool store);
    template <bool watched> void memoryFormat(unsigned opcode, uint32_t instruction);
    template <bool watched> void operateFormat(unsigned opcode, uint32_t instruction);
    template <bool watched> void miscellaneous(uint32_t instruction);
    template <bool watched> void palReserved(unsigned opcode, uint32_t instruction);
    void trap(uint16_t vector, uint64_t exceptionAddress);
    bool unaligned(unsigned opcode, unsigned ra, uint64_t address, unsigned bytes);
    bool accessed(uint32_t instruction, uint64_t address, uint64_t &physical);
    bool fetched(uint64_t &physical);
    void callPal(uint32_t instruction);
    uint64_t readInternal(unsigned selector);
    void writeInternal(unsigned selector, uint64_t value);

    static constexpr uint64_t modeBits = 3 << 3; ///< PS 4:3: not zero in user mode

    Ram *ram_;
    Outside *outside_;
    std::optional<TlbShape> tlbs_;
    std::optional<Translation> translation_;
    Effect effect_;
    uint64_t next_ = 0;
    bool lockFlag_ = false, intrFlag_ = false;
    bool look_ = false; ///< `run` has to end
    uint64_t lockBlock_ = 0;
};

} // namespace mcpi::alpha
