// SPDX-License-Identifier: BSD-2-Clause
#include "translation.h"

#include "base/address.h"

namespace mcpi::alpha {
namespace {

using What = Translated::What;

constexpr uint64_t accessViolation = 1 << 1, faultOnRead = 1 << 2, faultOnWrite = 1 << 3; // MM_CSR
constexpr uint64_t modeBits = 3 << 3;
constexpr unsigned spaceAt = 47, spaceBits = 6; // ICCSR
constexpr unsigned granularityBits = 3;         // address bits for each step of GH

/// All ones from bit 42 on, then zeros down to bit 34.
bool isKernelSegment(uint64_t address) {
    return address >> 34 == ((~uint64_t{0} << 42) >> 34);
}

bool isMapped(uint64_t address) {
    return address >> 34 == 0;
}

Translated fault(uint64_t status) {
    Translated t;
    t.what = What::fault;
    t.status = status;
    return t;
}

Translated kernels(uint64_t address, bool user) {
    if (const bool may = !user; !may)
        return fault(accessViolation);
    Translated t;
    t.physical = address & physicalMask;
    return t;
}

} // namespace

Translation::Translation(const TlbShape &shape)
    : shape_(shape), data_(shape.dataEntries, shape.lastUsed),
      instruction_(shape.instructionEntries, shape.lastUsed) {}

/// Entry of a TLB for `address`, whoever may use it.
Translated Translation::entryOf(const Tlb &tlb, uint64_t address) const {
    Translated t;
    t.mapped = true;
    t.entry = tlb.find(address, space_);
    if (!t.entry) {
        t.what = What::miss;
        return t;
    }
    const uint64_t offset = (uint64_t{1} << t.entry->shift) - 1;
    const uint64_t frame = t.entry->pte >> Pte::frame << shape_.pageShift;
    t.physical = ((frame & ~offset) | (address & offset)) & physicalMask;
    t.anySpace = t.entry->anySpace();
    return t;
}

Translated Translation::data(uint64_t address, const DataAccess &access) const {
    if (isKernelSegment(address))
        return kernels(address, access.user);
    if (!isMapped(address))
        return fault(accessViolation);
    Translated t = entryOf(data_, address);
    if (!t.there())
        return t;
    const uint64_t pte = t.entry->pte;
    const bool reads = pte & (access.user ? Pte::userReads : Pte::kernelReads);
    const bool writes = pte & (access.user ? Pte::userWrites : Pte::kernelWrites);
    if ((access.reads && !reads) || (access.writes && !writes))
        t.status |= accessViolation;
    if (access.reads && pte & Pte::faultOnRead)
        t.status |= faultOnRead;
    if (access.writes && pte & Pte::faultOnWrite)
        t.status |= faultOnWrite;
    if (t.status)
        t.what = What::fault;
    return t;
}

Translated Translation::fetch(uint64_t pc, bool user) const {
    if (pc >> 63)
        return kernels(pc, user);
    Translated t = entryOf(instruction_, pc & physicalMask);
    if (t.there() && !(t.entry->pte & (user ? Pte::userReads : Pte::kernelReads)))
        t.what = What::fault;
    return t;
}

void Translation::write(Tlb &tlb, uint64_t pte) {
    Tlb::Entry entry;
    entry.shift = shape_.pageShift + granularityBits * granularity_;
    entry.page = (tag_ & physicalMask) >> entry.shift;
    entry.asn = space_;
    entry.pte = pte;
    tlb.fill(entry);
}

void Translation::invalidate(Tlb &tlb, unsigned index, uint64_t value) {
    if (index == 0x06)
        tlb.empty();
    else if (index == 0x07)
        tlb.emptySpaces();
    else if (index == 0x08)
        tlb.drop(value, space_);
}

void Translation::writeIbox(unsigned index, uint64_t value) {
    if (index == 0x00)
        tag_ = value;
    else if (index == 0x01)
        write(instruction_, value);
    else if (index == 0x02 && shape_.asn)
        space_ = value >> spaceAt & ((1u << spaceBits) - 1);
    else
        invalidate(instruction_, index, value);
}

void Translation::writeAbox(unsigned index, uint64_t value) {
    if (index == 0x00 && shape_.granularity)
        granularity_ = value >> Pte::granularity & 3;
    else if (index == 0x02)
        write(data_, value);
    else if (index == 0x0F)
        altMode_ = value & modeBits;
    else
        invalidate(data_, index, value);
}

} // namespace mcpi::alpha
