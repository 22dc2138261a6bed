// SPDX-License-Identifier: BSD-2-Clause
// The TLBs of a machine file.
#pragma once
#include <optional>

#include "base/machine.h"
#include "tlb.h"

namespace mcpi::alpha {

/// Shape of the machine's TLBs; none: the machine does not translate.
inline std::optional<TlbShape> tlbShape(const Machine &m) {
    if (!m.parameter("core.translation"))
        return std::nullopt;
    TlbShape shape;
    shape.dataEntries = static_cast<unsigned>(m.parameter("tlb.data_entries"));
    shape.instructionEntries = static_cast<unsigned>(m.parameter("tlb.instruction_entries"));
    shape.pageShift = static_cast<unsigned>(__builtin_ctzll(m.parameter("tlb.page")));
    shape.granularity = m.parameter("tlb.granularity");
    shape.asn = m.parameter("tlb.asn");
    shape.lastUsed = !m.parameter("tlb.replacement");
    return shape;
}

} // namespace mcpi::alpha
