// SPDX-License-Identifier: BSD-2-Clause
// PAL mode: CALL_PAL, HW_MFPR, HW_MTPR, HW_LD, HW_ST, HW_REI and the internal registers.
#include "cpu.h"
#include "operate.h"

namespace mcpi::alpha {
namespace {

// Selector of HW_MxPR: bit 7 PAL_TEMP, 6 Abox, 5 Ibox, 4:0 index (sources/ev4.md 1.2).
constexpr unsigned palTemp = 0x80, abox = 0x40, ibox = 0x20;

} // namespace

void Cpu::callPal(uint32_t instruction) {
    const unsigned function = instruction & 0x3FFFFFF;
    const bool privileged = function <= 0x3F, user = function >= 0x80 && function <= 0xBF;
    if (!user && (!privileged || userMode())) {
        trap(vectorIllegal, programCounter());
        return;
    }
    internal.exceptionAddress = next_ | (palMode ? 1 : 0); // no trap: the lock flag stays
    palMode = true;
    next_ =
        internal.palBase + (user ? vectorCallPalUser : vectorCallPal) + 0x40 * (function & 0x3F);
}

template <bool watched> void Cpu::palReserved(unsigned opcode, uint32_t instruction) {
    if (!palMode) {
        trap(vectorIllegal, programCounter());
        return;
    }
    const unsigned ra = instruction >> 21 & 31, rb = instruction >> 16 & 31;
    switch (opcode) {
    case opcode::HW_MFPR:
        set<watched>(ra, readInternal(instruction & 0xFF));
        break;
    case opcode::HW_MTPR:
        writeInternal(instruction & 0xFF, r[rb]);
        break;
    case opcode::HW_REI:
        next_ = internal.exceptionAddress & ~uint64_t{3};
        palMode = (internal.exceptionAddress & 1) != 0;
        lockFlag_ = intrFlag_ = false;
        look_ = !palMode; // an interrupt may be due
        break;
    default: { // HW_LD, HW_ST: bit 12 quadword; low bits are dropped
        const int64_t displacement = static_cast<int32_t>(instruction << 20) >> 20;
        const unsigned bytes = instruction >> 12 & 1 ? 8 : 4;
        const uint64_t address = r[rb] + displacement;
        const bool isStore = opcode == opcode::HW_ST;
        if (!isStore && ra == 31)
            break;
        uint64_t physical = address & physicalMask;
        if (translation_ && !isPhysical(instruction) && !accessed(instruction, address, physical))
            break;
        note<watched>(address, physical, isStore);
        if (isStore)
            store<watched>(ra, physical & ~uint64_t{bytes - 1}, bytes, false);
        else
            load<watched>(ra, physical & ~uint64_t{bytes - 1}, bytes, false);
    }
    }
}

template void Cpu::palReserved<true>(unsigned, uint32_t);
template void Cpu::palReserved<false>(unsigned, uint32_t);

uint64_t Cpu::readInternal(unsigned selector) {
    const unsigned index = selector & 0x1F;
    if (selector & palTemp)
        return internal.temp[index];
    if (selector & ibox) {
        switch (index) {
        case 0x02:
            return internal.iccsr;
        case 0x04:
            return internal.exceptionAddress;
        case 0x09:
            return internal.status;
        case 0x0A:
            return internal.exceptionSummary;
        case 0x0B:
            return internal.palBase;
        case 0x0C:
            return outside_->interrupts();
        case 0x10:
            return internal.interruptEnable;
        default:
            return 0;
        }
    }
    switch (index) {
    case 0x04:
        return internal.faultStatus;
    case 0x05:
        return internal.faultAddress;
    case 0x0E:
        return internal.aboxControl;
    case 0x10:
        return internal.cycleOffset << 32 | (outside_->cycles() & 0xFFFFFFFF);
    case 0x12:
        return internal.biuControl;
    default:
        return 0;
    }
}

void Cpu::writeInternal(unsigned selector, uint64_t value) {
    const unsigned index = selector & 0x1F;
    if (selector & palTemp)
        internal.temp[index] = value;
    if (selector & ibox) {
        if (translation_)
            translation_->writeIbox(index, value);
        switch (index) {
        case 0x02:
            internal.iccsr = value;
            break;
        case 0x04:
            internal.exceptionAddress = place(value);
            break;
        case 0x09:
            internal.status = value;
            break;
        case 0x0A:
            internal.exceptionSummary = 0;
            break; // any write clears
        case 0x0B:
            internal.palBase = value & physicalMask & ~uint64_t{0x3FFF};
            break;
        case 0x10:
            internal.interruptEnable = value & sources;
            break;
        case 0x1E:
            halted = look_ = true;
            break; // docs/reference/contracts.md 4
        case 0x1F:
            waitMask = value;
            look_ = true;
            break; // wait for interrupt
        default:
            break;
        }
    }
    if (selector & abox) {
        if (translation_)
            translation_->writeAbox(index, value);
        switch (index) {
        case 0x0E:
            internal.aboxControl = value;
            break;
        case 0x10:
            internal.cycleOffset = value >> 32;
            break;
        case 0x11:
            outside_->setCycles(static_cast<uint32_t>(value), value >> 32 & 1);
            break;
        case 0x12:
            internal.biuControl = value;
            break;
        default:
            break; // FLUSH_IC and the like: the model has no caches
        }
    }
}

} // namespace mcpi::alpha
