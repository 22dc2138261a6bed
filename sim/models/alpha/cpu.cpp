// SPDX-License-Identifier: BSD-2-Clause
#include "cpu.h"

#include <cstring>

#include "operate.h"

namespace mcpi::alpha {
namespace {

constexpr uint64_t physicalMask = (uint64_t{1} << 34) - 1; // docs/contracts.md 2
constexpr uint64_t overflowSummary = 1 << 8;               // EXC_SUM: IOV

int64_t displacement16(uint32_t i) {
    return static_cast<int16_t>(i);
}
int64_t displacement21(uint32_t i) {
    return static_cast<int64_t>(static_cast<int32_t>(i << 11)) >> 11;
}

} // namespace

uint64_t Ram::get(uint64_t address, unsigned bytes) const {
    if (bytes == 4) {
        uint32_t word;
        std::memcpy(&word, &bytes_[address], 4);
        return sext32(word);
    }
    uint64_t quad;
    std::memcpy(&quad, &bytes_[address], 8);
    return quad;
}

void Ram::put(uint64_t address, unsigned bytes, uint64_t value) {
    std::memcpy(&bytes_[address], &value, bytes); // the host is little-endian, as Alpha is
}

void Cpu::reset(uint64_t start) {
    r.fill(0);
    internal = Internal{};
    pc = start + vectorReset;
    palMode = true;
    waitMask = 0;
    halted = lockFlag_ = intrFlag_ = false;
}

void Cpu::enter(uint16_t vector, uint64_t exceptionAddress) {
    internal.exceptionAddress = exceptionAddress;
    pc = internal.palBase + vector;
    palMode = true;
    lockFlag_ = false;
}

void Cpu::trap(uint16_t vector, uint64_t exceptionAddress) {
    effect_.trapped = true;
    effect_.vector = vector;
    effect_.exceptionAddress = exceptionAddress;
    enter(vector, exceptionAddress);
    next_ = pc;
}

const Effect &Cpu::step() {
    effect_ = Effect{};
    effect_.pc = programCounter();
    const uint64_t physical = pc & physicalMask;
    if (physical + 4 > ram.size()) {
        trap(vectorMachineCheck, effect_.pc);
        return effect_;
    }
    uint32_t instruction;
    std::memcpy(&instruction, ram.data() + physical, 4);
    effect_.instruction = instruction;
    next_ = pc + 4;

    const unsigned opcode = instruction >> 26, ra = instruction >> 21 & 31;
    switch (opcode) {
    case 0x00:
        callPal(instruction);
        break;
    case 0x08:
    case 0x09:
    case 0x0B:
    case 0x0F:
    case 0x28:
    case 0x29:
    case 0x2A:
    case 0x2B:
    case 0x2C:
    case 0x2D:
    case 0x2E:
    case 0x2F:
        memoryFormat(opcode, instruction);
        break;
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x13:
        operateFormat(opcode, instruction);
        break;
    case 0x18:
        miscellaneous(instruction);
        break;
    case 0x1A: { // JMP, JSR, RET, JSR_COROUTINE: the target is read before the link is written
        const uint64_t target = r[instruction >> 16 & 31] & ~uint64_t{3};
        set(ra, next_);
        next_ = target;
        break;
    }
    case 0x19:
    case 0x1B:
    case 0x1D:
    case 0x1E:
    case 0x1F:
        palReserved(opcode, instruction);
        break;
    case 0x30:
    case 0x34: { // BR, BSR
        const uint64_t target = next_ + 4 * displacement21(instruction);
        set(ra, next_);
        next_ = target;
        break;
    }
    case 0x38:
    case 0x39:
    case 0x3A:
    case 0x3B:
    case 0x3C:
    case 0x3D:
    case 0x3E:
    case 0x3F:
        if (branchTaken(opcode, r[ra]))
            next_ += 4 * displacement21(instruction);
        break;
    case 0x14:
    case 0x15:
    case 0x16:
    case 0x17:
    case 0x20:
    case 0x21:
    case 0x22:
    case 0x23:
    case 0x24:
    case 0x25:
    case 0x26:
    case 0x27:
    case 0x31:
    case 0x32:
    case 0x33:
    case 0x35:
    case 0x36:
    case 0x37:
        trap(vectorFloating, effect_.pc);
        break;
    default:
        trap(vectorIllegal, effect_.pc);
    }
    pc = next_;
    return effect_;
}

void Cpu::operateFormat(unsigned opcode, uint32_t instruction) {
    const uint64_t a = r[instruction >> 21 & 31];
    const uint64_t b = instruction >> 12 & 1 ? instruction >> 13 & 0xFF : r[instruction >> 16 & 31];
    uint64_t result = 0;
    switch (operate(opcode, instruction >> 5 & 0x7F, a, b, result)) {
    case Outcome::value:
        set(instruction & 31, result);
        break;
    case Outcome::keep:
        break;
    case Outcome::illegal:
        trap(vectorIllegal, effect_.pc);
        break;
    case Outcome::overflow: // precise here: the result is written, then the next one is not reached
        set(instruction & 31, result);
        internal.exceptionSummary |= overflowSummary;
        trap(vectorArithmetic, effect_.pc + 4);
    }
}

void Cpu::memoryFormat(unsigned opcode, uint32_t instruction) {
    const unsigned ra = instruction >> 21 & 31;
    const uint64_t base = r[instruction >> 16 & 31];
    const uint64_t address = base + displacement16(instruction);
    switch (opcode) {
    case 0x08:
        set(ra, address);
        break;
    case 0x09:
        set(ra, base + displacement16(instruction) * 65536);
        break;
    case 0x0B:
    case 0x0F: // LDQ_U, STQ_U: the low bits are dropped on the way to memory
        if (!access(opcode, ra, address, 8, opcode == 0x0F))
            break;
        opcode == 0x0B ? (void)load(ra, address & ~uint64_t{7}, 8, false)
                       : store(ra, address & ~uint64_t{7}, 8, false);
        break;
    default: {
        const unsigned bytes = opcode & 1 ? 8 : 4;
        const bool isStore = opcode >= 0x2C, special = (opcode & 2) != 0;
        if (!access(opcode, ra, address, bytes, isStore))
            break;
        if (isStore)
            store(ra, address, bytes, special);
        else
            load(ra, address, bytes, special);
    }
    }
}

/// Note the access and check its alignment; false: it trapped, or is a load nobody wants.
bool Cpu::access(unsigned opcode, unsigned ra, uint64_t address, unsigned bytes, bool store) {
    if (!store && ra == 31)
        return false; // unop and prefetches: no access on this core, no trap
    const bool anyAlignment = opcode == 0x0B || opcode == 0x0F || opcode == 0x1B || opcode == 0x1F;
    if (!anyAlignment && address % bytes) {
        internal.faultAddress = address;
        internal.faultStatus = opcode << 9 | ra << 4 | (store ? 1 : 0);
        trap(vectorUnaligned, effect_.pc);
        return false;
    }
    effect_.memory = true;
    effect_.store = store;
    effect_.address = address;
    return true;
}

bool Cpu::load(unsigned ra, uint64_t address, unsigned bytes, bool locked) {
    const uint64_t physical = address & physicalMask;
    uint64_t value = 0;
    effect_.io = physical >> 32 != 0;
    if (effect_.io || physical + bytes > ram.size()) {
        if (!outside_.read(physical, bytes, value)) {
            trap(vectorMachineCheck, effect_.pc);
            return false;
        }
        if (bytes == 4)
            value = sext32(value);
    } else {
        value = ram.get(physical, bytes);
    }
    if (locked) {
        lockFlag_ = true;
        lockBlock_ = physical >> 5; // ours: 32 bytes (facts/ev4.md 1.5)
    }
    set(ra, value);
    return true;
}

void Cpu::store(unsigned ra, uint64_t address, unsigned bytes, bool conditional) {
    const uint64_t physical = address & physicalMask;
    effect_.storeData = r[ra];
    effect_.io = physical >> 32 != 0;
    const bool goes = !conditional || lockFlag_;
    bool answered = true;
    if (goes && (effect_.io || physical + bytes > ram.size()))
        answered = outside_.write(physical, bytes, r[ra]);
    else if (goes)
        ram.put(physical, bytes, r[ra]);
    if (!answered) {
        trap(vectorMachineCheck, effect_.pc);
        return;
    }
    if (conditional) {
        set(ra, lockFlag_ ? 1 : 0);
        lockFlag_ = false;
    }
}

void Cpu::miscellaneous(uint32_t instruction) {
    const unsigned ra = instruction >> 21 & 31;
    switch (instruction & 0xFFFF) {
    case 0xC000: // RPCC: offset in the upper half, count in the lower
        set(ra, internal.cycleOffset << 32 | (outside_.cycles() & 0xFFFFFFFF));
        break;
    case 0xE000: // RC
    case 0xF000: // RS
        set(ra, intrFlag_ ? 1 : 0);
        intrFlag_ = (instruction & 0x1000) != 0;
        break;
    default:
        break; // TRAPB, EXCB, MB, WMB, FETCH, FETCH_M: order and hints only
    }
}

} // namespace mcpi::alpha
