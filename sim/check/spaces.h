// SPDX-License-Identifier: BSD-2-Clause
// Where instructions and data of a run are on a machine that translates. TLBs and mode follow from
// what retires (docs/explanation/translation.md); the I-cache's lines are the memory model's.
#pragma once
#include "alpha/tlb_shape.h"
#include "alpha/translation.h"
#include "memory/hierarchy.h"

namespace mcpi {

class Spaces {
  public:
    explicit Spaces(const alpha::TlbShape &shape) : translation_(shape) {}

    /// The instruction at `pc` (bit 0: PAL mode) is wanted: pc, line and `lost` of its step.
    void fetch(uint64_t pc, const memory::Hierarchy &cache, memory::Step &step);
    /// The ITB's answer for the instruction wanted last, if it is lost: no entry, or no right.
    alpha::Translated::What fetched() const { return fetched_.what; }
    /// It has missed the I-cache.
    void fetchMissed();

    /// The access of an instruction of this mode; changes nothing.
    alpha::Translated access(uint32_t instruction, bool pal, uint64_t address) const;
    void accessed(const alpha::Translated &t) { translation_.usesData(t); }
    /// HW_MTPR has issued.
    void written(uint32_t instruction, uint64_t value);

  private:
    alpha::Translation translation_;
    alpha::Translated fetched_;
    bool userStatus_ = false; ///< PS.CM
};

} // namespace mcpi
