// SPDX-License-Identifier: BSD-2-Clause
// From virtual to physical addresses: KSEG, TLBs, rights, and the registers that PALcode fills
// the TLBs by (docs/explanation/translation.md).
#pragma once
#include <cstdint>

#include "tlb.h"

namespace mcpi::alpha {

/// Rights that an access wants; `user`: it has user mode.
struct DataAccess {
    bool user = false, reads = false, writes = false;
};

/// Result of translating an address.
struct Translated {
    enum class What : uint8_t { there, miss, fault } what = What::there;
    uint64_t physical = 0;
    uint64_t status = 0; ///< of a fault: MM_CSR's ACV, FOR, FOW
    bool mapped = false; ///< not by KSEG
    bool anySpace = false;
    const Tlb::Entry *entry = nullptr;

    bool there() const { return what == What::there; }
};

class Translation {
  public:
    explicit Translation(const TlbShape &shape);

    /// An access to data; changes nothing.
    Translated data(uint64_t address, const DataAccess &access) const;
    /// A fetch outside PAL mode; changes nothing.
    Translated fetch(uint64_t pc, bool user) const;
    /// The access that was translated so is done.
    void usesData(const Translated &t) { data_.uses(t.entry); }
    void usesInstruction(const Translated &t) { instruction_.uses(t.entry); }

    /// HW_MTPR of an Ibox or Abox register; those of others do nothing.
    void writeIbox(unsigned index, uint64_t value);
    void writeAbox(unsigned index, uint64_t value);
    /// The mode of HW_LD and HW_ST with the ALT bit.
    bool altUser() const { return altMode_; }
    unsigned space() const { return space_; }
    const TlbShape &shape() const { return shape_; }

  private:
    Translated entryOf(const Tlb &tlb, uint64_t address) const;
    void write(Tlb &tlb, uint64_t pte);
    void invalidate(Tlb &tlb, unsigned index, uint64_t value);

    TlbShape shape_;
    Tlb data_, instruction_;
    uint64_t tag_ = 0; ///< TB_TAG
    unsigned granularity_ = 0;
    unsigned space_ = 0;
    bool altMode_ = false;
};

} // namespace mcpi::alpha
