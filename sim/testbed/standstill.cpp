// SPDX-License-Identifier: BSD-2-Clause
#include "standstill.h"

#include <algorithm>

#include "machines/instructions.h"

namespace mcpi {
namespace {

constexpr uint64_t first = 1 << 18;   // the first span begins there, each next one twice as late
constexpr uint64_t emptied = 1 << 14; // ticks in which a write buffer has sent what it had

/// Return true if the instruction changes or reads more than its core's registers and memory.
bool acts(uint32_t word) {
    using namespace alpha::opcode;
    const unsigned opcode = word >> 26;
    switch (opcode) {
    case STQ_U:
    case STL:
    case STQ:
    case STL_C:
    case STQ_C:
    case CALL_PAL:
        return true;
    case MISC: // barriers and prefetches alone are none
        return (word & 0xFFFF) >= alpha::function::RPCC;
    default:
        return false;
    }
}

} // namespace

Standstill::Standstill(unsigned cores, uint64_t timerPeriod)
    : cores_(cores), length_(emptied + 2 * timerPeriod), begins_(first) {
    while (begins_ < length_)
        begins_ *= 2;
}

uint64_t Standstill::next() const {
    switch (stage_) {
    case Stage::rests:
        return begins_;
    case Stage::empties:
        return began_ + emptied;
    default:
        return began_ + length_;
    }
}

bool Standstill::at() {
    switch (stage_) {
    case Stage::rests:
        began_ = begins_;
        begins_ *= 2;
        stage_ = Stage::empties;
        return false;
    case Stage::empties:
        std::fill(cores_.begin(), cores_.end(), Core());
        stage_ = Stage::returns;
        return false;
    default:
        stage_ = Stage::rests;
        return std::all_of(cores_.begin(), cores_.end(),
                           [](const Core &core) { return !core.seen || core.returned; });
    }
}

void Standstill::executed(unsigned number, uint64_t pc, uint32_t word, bool device,
                          const Registers &after) {
    if (pc & 1 || device || acts(word))
        stage_ = Stage::rests;
    if (stage_ != Stage::returns)
        return;
    Core &core = cores_[number];
    if (!core.seen) {
        core = {true, false, pc, after};
        return;
    }
    core.returned = core.returned || (core.pc == pc && core.registers == after);
}

} // namespace mcpi
