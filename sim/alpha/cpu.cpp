// SPDX-License-Identifier: BSD-2-Clause
#include "cpu.h"

#include <algorithm>

#include "operate.h"

namespace mcpi::alpha {
namespace {

constexpr uint64_t overflowSummary = 1 << 8; // EXC_SUM: IOV

int64_t displacement16(uint32_t i) {
    return static_cast<int16_t>(i);
}
int64_t displacement21(uint32_t i) {
    return static_cast<int64_t>(static_cast<int32_t>(i << 11)) >> 11;
}

} // namespace

Ram::Ram(const Ram &other) : bytes_(other.size()), written_(other.written_) {
    for (uint64_t page = 0; page < written_.size(); ++page)
        if (const uint64_t from = page * pageBytes; written_[page])
            std::copy_n(other.data() + from, std::min(pageBytes, size() - from), &bytes_[from]);
}

void Ram::put(uint64_t address, const std::vector<uint8_t> &bytes) {
    for (uint64_t page = address / pageBytes; page * pageBytes < address + bytes.size(); ++page)
        written_[page] = true;
    std::copy(bytes.begin(), bytes.end(), &bytes_[address]);
}

void Cpu::reset(uint64_t start) {
    r.fill(0);
    internal = Internal{};
    if (tlbs_)
        translation_.emplace(*tlbs_);
    internal.palBase = start;
    pc = start + vectorReset;
    palMode = true;
    waitMask = executed = 0;
    halted = lockFlag_ = intrFlag_ = false;
}

void Cpu::enter(uint16_t vector, uint64_t exceptionAddress) {
    internal.exceptionAddress = exceptionAddress;
    pc = internal.palBase + vector;
    palMode = true;
    lockFlag_ = false;
}

void Cpu::overflow(uint64_t exceptionAddress) {
    internal.exceptionSummary |= overflowSummary;
    enter(vectorArithmetic, exceptionAddress);
}

/// Cheap enough to note every time: traps are rare.
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
    next<true>();
    return effect_;
}

const Effect &Cpu::stepFrom(uint64_t physical) {
    effect_ = Effect{};
    effect_.pc = programCounter();
    executeFrom<true>(physical);
    return effect_;
}

uint64_t Cpu::run(uint64_t limit) {
    const uint64_t before = executed;
    look_ = false;
    while (executed - before < limit && !look_)
        next<false>();
    return executed - before;
}

template <bool watched> void Cpu::next() {
    uint64_t physical = pc & physicalMask;
    if (translation_ && !palMode && !fetched(physical)) {
        ++executed;
        return;
    }
    executeFrom<watched>(physical);
}

template <bool watched> void Cpu::executeFrom(uint64_t physical) {
    if (physical + 4 > ram_->size()) {
        ++executed;
        trap(vectorMachineCheck, programCounter());
        return;
    }
    execute<watched>(static_cast<uint32_t>(ram_->get(physical, 4)));
}

void Cpu::execute(uint32_t instruction) {
    execute<false>(instruction);
}

template <bool watched> void Cpu::execute(uint32_t instruction) {
    ++executed;
    if constexpr (watched)
        effect_.instruction = instruction;
    next_ = place(pc, 4);

    const unsigned opcode = instruction >> 26, ra = instruction >> 21 & 31;
    switch (opcode) {
    case opcode::CALL_PAL:
        callPal(instruction);
        break;
    case opcode::LDA:
        set<watched>(ra, r[instruction >> 16 & 31] + displacement16(instruction));
        break;
    case opcode::LDAH:
        set<watched>(ra, r[instruction >> 16 & 31] + displacement16(instruction) * 65536);
        break;
    case opcode::LDQ_U:
    case opcode::STQ_U:
    case opcode::LDL:
    case opcode::LDQ:
    case opcode::LDL_L:
    case opcode::LDQ_L:
    case opcode::STL:
    case opcode::STQ:
    case opcode::STL_C:
    case opcode::STQ_C:
        memoryFormat<watched>(opcode, instruction);
        break;
    case opcode::INTA:
    case opcode::INTL:
    case opcode::INTS:
    case opcode::INTM:
        operateFormat<watched>(opcode, instruction);
        break;
    case opcode::MISC:
        miscellaneous<watched>(instruction);
        break;
    case opcode::JUMP: { // the target is read before the link is written
        const uint64_t target = place(r[instruction >> 16 & 31]) & ~uint64_t{3};
        set<watched>(ra, next_);
        next_ = target;
        break;
    }
    case opcode::HW_MFPR:
    case opcode::HW_LD:
    case opcode::HW_MTPR:
    case opcode::HW_REI:
    case opcode::HW_ST:
        palReserved<watched>(opcode, instruction);
        break;
    case opcode::BR:
    case opcode::BSR: {
        const uint64_t target = place(next_, 4 * displacement21(instruction));
        set<watched>(ra, next_);
        next_ = target;
        break;
    }
    case opcode::BLBC:
    case opcode::BEQ:
    case opcode::BLT:
    case opcode::BLE:
    case opcode::BLBS:
    case opcode::BNE:
    case opcode::BGE:
    case opcode::BGT:
        if (branchTaken(opcode, r[ra]))
            next_ = place(next_, 4 * displacement21(instruction));
        break;
    default:
        trap(isFloating(opcode) ? vectorFloating : vectorIllegal, programCounter());
    }
    pc = next_;
}

template <bool watched> void Cpu::operateFormat(unsigned opcode, uint32_t instruction) {
    const uint64_t a = r[instruction >> 21 & 31];
    const uint64_t b = instruction >> 12 & 1 ? instruction >> 13 & 0xFF : r[instruction >> 16 & 31];
    uint64_t result = 0;
    switch (operate(opcode, instruction >> 5 & 0x7F, a, b, result)) {
    case Outcome::value:
        set<watched>(instruction & 31, result);
        break;
    case Outcome::keep:
        break;
    case Outcome::illegal:
        trap(vectorIllegal, programCounter());
        break;
    case Outcome::overflow: // precise here: the result is written, then the next one is not reached
        set<watched>(instruction & 31, result);
        internal.exceptionSummary |= overflowSummary;
        trap(vectorArithmetic, programCounter() + 4);
    }
}

template <bool watched> void Cpu::memoryFormat(unsigned opcode, uint32_t instruction) {
    const unsigned ra = instruction >> 21 & 31;
    const uint64_t address = r[instruction >> 16 & 31] + displacement16(instruction);
    const bool isStore = (opcode & 4) != 0;
    if (!isStore && ra == 31)
        return; // no access, no fault, no lock: UNOP and prefetches
    const bool anyAlignment = opcode == opcode::LDQ_U || opcode == opcode::STQ_U;
    const unsigned bytes = opcode & 1 ? 8 : 4;
    if (!anyAlignment && unaligned(opcode, ra, address, bytes))
        return;
    uint64_t physical = address & physicalMask;
    if (translation_ && !accessed(instruction, address, physical))
        return;
    note<watched>(address, physical, isStore);
    const bool special = !anyAlignment && (opcode & 2) != 0; // LDx_L, STx_C
    if (isStore)
        store<watched>(ra, physical & ~uint64_t{bytes - 1}, bytes, special);
    else
        load<watched>(ra, physical & ~uint64_t{bytes - 1}, bytes, special);
}

/// Return true if the access trapped.
bool Cpu::unaligned(unsigned opcode, unsigned ra, uint64_t address, unsigned bytes) {
    if (address % bytes == 0)
        return false;
    internal.faultAddress = address;
    internal.faultStatus = opcode << 9 | ra << 4 | (opcode >> 2 & 1);
    trap(vectorUnaligned, programCounter());
    return true;
}

DataAccess Cpu::dataAccess(uint32_t instruction) const {
    const unsigned opcode = instruction >> 26;
    const bool writes = (opcode & 4) != 0; // as LDx and STx, so HW_LD and HW_ST
    if (!isPalAccess(instruction))
        return {userMode(), !writes, writes};
    const bool alternate = instruction >> 14 & 1, checks = instruction >> 13 & 1;
    return {alternate && translation_->altUser(), !writes, writes || checks};
}

/// Return true if its access has a physical address; else it has trapped.
bool Cpu::accessed(uint32_t instruction, uint64_t address, uint64_t &physical) {
    const DataAccess w = dataAccess(instruction);
    const Translated t = translation_->data(address, w);
    if (t.there()) {
        physical = t.physical;
        translation_->usesData(t);
        return true;
    }
    internal.faultAddress = address;
    internal.faultStatus = uint64_t{instruction >> 26} << 9 | (instruction >> 21 & 31) << 4 |
                           t.status | (w.writes ? 1 : 0);
    const Vector miss = palMode ? vectorDataMissPal : vectorDataMiss;
    trap(t.what == Translated::What::fault ? vectorDataFault : miss, programCounter());
    return false;
}

/// Return true if the next instruction has a physical address; else a trap has taken its place.
bool Cpu::fetched(uint64_t &physical) {
    const Translated t = translation_->fetch(pc, userMode());
    if (t.there()) {
        physical = t.physical;
        translation_->usesInstruction(t);
        return true;
    }
    trap(t.what == Translated::What::fault ? vectorFetchFault : vectorFetchMiss, programCounter());
    return false;
}

template <bool watched> void Cpu::note(uint64_t address, uint64_t physical, bool store) {
    if constexpr (watched) {
        effect_.memory = true;
        effect_.store = store;
        effect_.io = physical >> 32 != 0;
        effect_.address = address;
        effect_.physical = physical;
    }
}

/// Without an answer it ends all the same, followed by a machine check.
template <bool watched>
void Cpu::load(unsigned ra, uint64_t physical, unsigned bytes, bool locked) {
    uint64_t value = 0;
    bool answered = true;
    if (physical + bytes <= ram_->size()) {
        value = ram_->get(physical, bytes);
    } else {
        look_ = true;
        answered = outside_->read(physical, bytes, value);
        if (bytes == 4)
            value = sext32(value);
    }
    if (locked) {
        lockFlag_ = true;
        lockBlock_ = physical >> 5; // ours: 32 bytes (sources/ev4.md 1.5)
    }
    set<watched>(ra, value);
    if (!answered)
        trap(vectorMachineCheck, next_ | (palMode ? 1 : 0));
}

template <bool watched>
void Cpu::store(unsigned ra, uint64_t physical, unsigned bytes, bool conditional) {
    const uint64_t data = r[ra];
    if constexpr (watched)
        effect_.storeData = data;
    bool answered = true;
    if (conditional) { // only with the flag, and into the locked range
        const bool good = lockFlag_ && physical >> 5 == lockBlock_;
        lockFlag_ = false;
        set<watched>(ra, good ? 1 : 0);
        if (!good)
            return;
    }
    if (physical + bytes <= ram_->size()) {
        ram_->put(physical, bytes, data);
    } else {
        look_ = true;
        answered = outside_->write(physical, bytes, data);
    }
    if (!answered)
        trap(vectorMachineCheck, next_ | (palMode ? 1 : 0));
}

template <bool watched> void Cpu::miscellaneous(uint32_t instruction) {
    const unsigned ra = instruction >> 21 & 31;
    switch (instruction & 0xFFFF) {
    case function::TRAPB:
    case function::EXCB:
    case function::MB:
    case function::WMB:
    case function::FETCH:
    case function::FETCH_M: // order and hints only
        break;
    case function::RPCC: // offset in the upper half, count in the lower
        set<watched>(ra, internal.cycleOffset << 32 | (outside_->cycles() & 0xFFFFFFFF));
        break;
    case function::RC:
    case function::RS:
        set<watched>(ra, intrFlag_ ? 1 : 0);
        intrFlag_ = (instruction & 0x1000) != 0;
        break;
    default:
        trap(vectorIllegal, programCounter());
    }
}

template void Cpu::load<true>(unsigned, uint64_t, unsigned, bool);
template void Cpu::load<false>(unsigned, uint64_t, unsigned, bool);
template void Cpu::store<true>(unsigned, uint64_t, unsigned, bool);
template void Cpu::store<false>(unsigned, uint64_t, unsigned, bool);
template void Cpu::note<true>(uint64_t, uint64_t, bool);
template void Cpu::note<false>(uint64_t, uint64_t, bool);

} // namespace mcpi::alpha
