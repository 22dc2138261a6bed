// SPDX-License-Identifier: BSD-2-Clause
#include "disassemble.h"

#include "base/text.h"
#include "machines/instructions.h"

namespace mcpi::alpha {

std::string disassemble(uint64_t pc, uint32_t i) {
    const unsigned ra = i >> 21 & 31, rb = i >> 16 & 31, rc = i & 31;
    if (i >> 26 == opcode::CALL_PAL)
        return text("call_pal %x", i & 0x3FFFFFF);
    const Encoding *const row = find(i);
    if (!row)
        return text(".long 0x%08x", i);
    switch (row->format) {
    case Format::memory:
        return text("%s $%u,%d($%u)", row->name, ra, static_cast<int16_t>(i), rb);
    case Format::branch: {
        const int64_t disp = static_cast<int32_t>(i << 11) >> 11;
        const auto target = static_cast<unsigned long long>((pc & ~3ull) + 4 + 4 * disp);
        return text("%s $%u,%llx", row->name, ra, target);
    }
    case Format::operate:
        return i >> 12 & 1 ? text("%s $%u,%u,$%u", row->name, ra, i >> 13 & 0xFF, rc)
                           : text("%s $%u,$%u,$%u", row->name, ra, rb, rc);
    case Format::misc:
        return text("%s $%u", row->name, ra);
    case Format::internal:
        return text("%s $%u,%x", row->name, row->group == Group::readInternal ? ra : rb, i & 0xFF);
    case Format::jump:
        return text("%s $%u,($%u)", row->name, ra, rb);
    case Format::physical:
        return text("%s%s $%u,%d($%u)", row->name, i >> 12 & 1 ? "q" : "l", ra,
                    static_cast<int32_t>(i << 20) >> 20, rb);
    default:
        return row->name;
    }
}

} // namespace mcpi::alpha
