// SPDX-License-Identifier: BSD-2-Clause
// TLBs and traps of the instruction-set model against the sheet (docs/explanation/translation.md):
// random accesses against a walk of the page table, and each rule by hand.
#include <map>
#include <random>
#include <tuple>

#include "alpha/cpu.h"
#include "machines/instructions.h"
#include "test/check.h"

namespace {

using namespace mcpi::alpha;
using namespace mcpi::alpha::opcode;

constexpr uint64_t kernelSegment = 0xFFFFFC0000000000;
constexpr uint64_t all = 0x3301; // V, KRE, URE, KWE, UWE
enum : unsigned { ibox = 0x20, abox = 0x40 };

struct Nothing : Outside {
    bool read(uint64_t, unsigned, uint64_t &) override { return false; }
    bool write(uint64_t, unsigned, uint64_t) override { return false; }
    uint64_t interrupts() override { return 0; }
    uint64_t cycles() override { return 0; }
};

/// A processor in PAL mode whose instructions the test gives it, one by one.
struct Bench {
    explicit Bench(const TlbShape &shape) : cpu(ram, nothing, shape) {
        cpu.reset(0x10000);
        for (uint64_t at = 0; at < 0x20000; at += 4)
            ram.put(at, 4, 0x47FF041F); // bis r31,r31,r31
    }
    void writes(unsigned selector, uint64_t value) {
        const bool pal = cpu.palMode;
        cpu.palMode = true;
        cpu.r[1] = value;
        cpu.execute(HW_MTPR << 26 | 1 << 21 | 1 << 16 | selector);
        cpu.palMode = pal;
    }
    void space(unsigned asn) { writes(ibox | 2, uint64_t{asn} << 47); }
    void mode(bool user) {
        writes(ibox | 9, user ? 3 << 3 : 0);
        cpu.palMode = false;
    }
    void fills(unsigned selector, uint64_t address, uint64_t pte) {
        writes(ibox | 0, address);
        writes(abox | 0, pte); // GH
        writes(selector, pte);
    }
    void fillsData(uint64_t address, uint64_t pte) { fills(abox | 2, address, pte); }
    void fillsCode(uint64_t address, uint64_t pte) { fills(ibox | 1, address, pte); }
    /// Executes an access of `opcode` to `address`: where it trapped, or 0.
    unsigned access(unsigned opcode, uint64_t address, unsigned more = 0) {
        cpu.pc = 0x4000;
        cpu.r[2] = address;
        cpu.execute(opcode << 26 | 3 << 21 | 2 << 16 | more);
        return trapped(0x4004);
    }
    unsigned loads(uint64_t address) { return access(LDQ, address); }
    unsigned stores(uint64_t address) { return access(STQ, address); }
    /// Fetches from `pc`.
    unsigned fetches(uint64_t pc) {
        cpu.pc = pc;
        cpu.step();
        return trapped(place(pc, 4));
    }
    unsigned trapped(uint64_t next) {
        if (cpu.pc == next)
            return 0;
        const uint64_t vector = cpu.pc - cpu.internal.palBase;
        exception = cpu.internal.exceptionAddress;
        cpu.palMode = exception & 1;
        return static_cast<unsigned>(vector);
    }

    Nothing nothing;
    Ram ram{64 << 20};
    Cpu cpu;
    uint64_t exception = 0;
};

TlbShape shape(unsigned entries, bool lastUsed = false, unsigned pageShift = 13) {
    TlbShape s;
    s.dataEntries = s.instructionEntries = entries;
    s.lastUsed = lastUsed;
    s.pageShift = pageShift;
    return s;
}

/// MM_CSR, opcode, ra 3, and the bits that are given.
uint64_t status(unsigned opcode, unsigned bits) {
    return opcode << 9 | 3 << 4 | bits;
}

void kindsOfAddresses() {
    Bench b(shape(4));
    b.mode(false);
    CHECK(b.loads(kernelSegment + 0x8000) == 0);
    CHECK(b.loads(0x8000) == 0x8E0);
    for (const uint64_t bad :
         {uint64_t{1} << 34, uint64_t{1} << 41, uint64_t{1} << 62, uint64_t{1} << 63,
          kernelSegment | uint64_t{1} << 41, kernelSegment & ~(uint64_t{1} << 42)}) {
        CHECK(b.loads(bad) == 0x1E0);
        CHECK(b.cpu.internal.faultStatus == status(LDQ, 2));
        CHECK(b.cpu.internal.faultAddress == bad);
        CHECK(b.exception == 0x4000);
    }
    b.mode(true);
    CHECK(b.loads(kernelSegment + 0x8000) == 0x1E0);
    CHECK(b.fetches(kernelSegment + 0x8000) == 0x7E0);
    CHECK(b.exception == kernelSegment + 0x8000);
    CHECK(b.fetches(0x8000) == 0x3E0);
    b.mode(false);
    CHECK(b.fetches(kernelSegment + 0x8000) == 0);
}

/// Each right alone, in each mode, for each access.
void rights() {
    for (unsigned bit : {8, 9, 12, 13})
        for (const bool user : {false, true}) {
            Bench b(shape(4));
            b.fillsData(0x8000, uint64_t{5} << 32 | 1 << bit);
            b.fillsCode(0x8000, uint64_t{5} << 32 | 1 << bit);
            b.mode(user);
            const bool reads = bit == (user ? 9u : 8u), writes = bit == (user ? 13u : 12u);
            CHECK((b.loads(0x8008) == 0) == reads);
            CHECK((b.stores(0x8008) == 0) == writes);
            CHECK((b.access(STQ_C, 0x8008) == 0) == writes); // STQ_C
            CHECK((b.fetches(0x8000) == 0) == reads);
            if (!reads) {
                CHECK(b.loads(0x8008) == 0x1E0);
                CHECK(b.cpu.internal.faultStatus == status(LDQ, 2));
                CHECK(b.fetches(0x8000) == 0x7E0);
            }
            if (!writes) {
                CHECK(b.stores(0x8008) == 0x1E0);
                CHECK(b.cpu.internal.faultStatus == status(STQ, 3));
            }
        }
}

void faultsOnReadAndWrite() {
    Bench b(shape(4));
    b.fillsData(0x8000, all | 2);
    b.fillsData(0xA000, all | 4);
    b.fillsData(0xC000, 6);
    b.mode(true);
    CHECK(b.loads(0x8000) == 0x1E0 && b.cpu.internal.faultStatus == status(LDQ, 4));
    CHECK(b.stores(0x8000) == 0);
    CHECK(b.loads(0xA000) == 0);
    CHECK(b.stores(0xA000) == 0x1E0 && b.cpu.internal.faultStatus == status(STQ, 9));
    CHECK(b.loads(0xC000) == 0x1E0 && b.cpu.internal.faultStatus == status(LDQ, 6));
    CHECK(b.stores(0xC000) == 0x1E0 && b.cpu.internal.faultStatus == status(STQ, 0xB));
}

/// UNALIGN; an address of no kind; a miss; rights.
void order() {
    Bench b(shape(4));
    b.mode(true);
    CHECK(b.loads(kernelSegment + 4) == 0x11E0);
    CHECK(b.loads(0x8004) == 0x11E0);
    CHECK(b.stores(0x8000) == 0x8E0 && b.cpu.internal.faultStatus == status(STQ, 1));
    CHECK(b.cpu.internal.faultAddress == 0x8000);
    CHECK(b.access(LDQ_U, 0x8003) == 0x8E0); // LDQ_U is never unaligned
    CHECK(b.cpu.internal.faultAddress == 0x8003);
    CHECK(b.access(LDQ, 0x8000) == 0x8E0);
    b.cpu.r[2] = 0x8000; // a load to r31 asks nobody
    b.cpu.pc = 0x4000;
    b.cpu.execute(LDQ << 26 | 31 << 21 | 2 << 16);
    CHECK(b.cpu.pc == 0x4004);
}

/// HW_LD and HW_ST: bits 15 physical, 14 ALT, 13 check, 12 quadword.
void palModes() {
    Bench b(shape(4));
    b.ram.put(0xA008, 8, 77);
    b.fillsData(0x8000, uint64_t{5} << 32 | 0x1100); // kernel alone
    b.fillsData(0xC000, uint64_t{6} << 32 | 0x2200); // user alone
    b.fillsData(0x10000, uint64_t{6} << 32 | 0x2300);
    b.writes(ibox | 9, 3 << 3); // PS says user: PAL mode does not care
    CHECK(b.access(HW_LD, 0x8008, 0x1000) == 0 && b.cpu.r[3] == 77);
    CHECK(b.access(LDQ, 0x8008) == 0 && b.cpu.r[3] == 77);
    CHECK(b.access(HW_LD, 0xA008, 0x9000) == 0 && b.cpu.r[3] == 77);
    CHECK(b.access(HW_LD, 0xC000, 0x1000) == 0x1E0);
    CHECK(b.exception == (0x4000 | 1));
    CHECK(b.access(HW_LD, 0x12000, 0x1000) == 0x9E0);
    CHECK(b.access(HW_LD, 0x10000, 0x1000) == 0);
    CHECK(b.access(HW_LD, 0x10000, 0x3000) == 0x1E0); // has to write too
    CHECK(b.cpu.internal.faultStatus == status(HW_LD, 3));
    CHECK(b.access(HW_ST, 0x10000, 0x1000) == 0x1E0);
    CHECK(b.access(HW_LD, 0xC000, 0x5000) == 0x1E0); // ALT_MODE is kernel
    b.writes(abox | 0xF, 3 << 3);
    CHECK(b.access(HW_LD, 0xC000, 0x5000) == 0);
    CHECK(b.access(HW_ST, 0xC003, 0x5000) == 0); // never unaligned
    CHECK(b.access(HW_LD, 0x8008, 0x5000) == 0x1E0);
    CHECK(b.access(HW_LD, 0x8008, 0x1000) == 0);
}

/// Check that as many pages as entries never miss again, and that with one more each misses.
void replacement() {
    for (const bool lastUsed : {false, true}) {
        Bench b(shape(76, lastUsed, 12));
        b.mode(true);
        const auto round = [&b](unsigned pages) {
            unsigned misses = 0;
            for (uint64_t page = 0; page < pages; ++page)
                if (b.loads(page << 12)) {
                    ++misses;
                    b.fillsData(page << 12, all | page << 32);
                    CHECK(b.loads(page << 12) == 0);
                }
            return misses;
        };
        CHECK(round(76) == 76 && round(76) == 0);
        if (lastUsed)
            continue;
        b.writes(abox | 6, 0);
        CHECK(round(77) == 77 && round(77) == 77);
    }
    for (const bool lastUsed :
         {false, true}) { // nlu: the entry at the pointer is used, so it stays
        Bench b(shape(4, lastUsed));
        b.mode(true);
        for (uint64_t page : {1, 2, 3, 4})
            b.fillsData(page << 13, all);
        CHECK(b.loads(2 << 13) == 0); // is not at the pointer
        CHECK(b.loads(1 << 13) == 0); // is
        b.fillsData(5 << 13, all);
        CHECK(b.loads(1 << 13) == (lastUsed ? 0 : 0x8E0));
        CHECK(b.loads(2 << 13) == (lastUsed ? 0x8E0 : 0));
        CHECK(b.loads(3 << 13) == 0);
    }
}

/// A write with both bits goes to both sides.
void bothSides() {
    Bench b(shape(4));
    b.mode(true);
    b.fills(ibox | 1, 0x8000, all);
    b.fillsData(0x8000, all);
    CHECK(b.loads(0x8000) == 0 && b.fetches(0x8000) == 0);
    b.writes(ibox | abox | 8, 0xA000); // another page
    CHECK(b.loads(0x8000) == 0 && b.fetches(0x8000) == 0);
    b.writes(ibox | abox | 8, 0x9FFF);
    CHECK(b.loads(0x8000) == 0x8E0 && b.fetches(0x8000) == 0x3E0);
    b.fillsData(0x8000, all);
    b.writes(ibox | 6, 0);
    CHECK(b.loads(0x8000) == 0);
    b.writes(ibox | abox | 6, 0);
    CHECK(b.loads(0x8000) == 0x8E0);
}

void spaces() {
    Bench b(shape(4));
    b.mode(true);
    b.fillsData(0x8000, all);
    b.fillsData(0xA000, all | 0x10);
    b.space(5);
    CHECK(b.loads(0x8000) == 0x8E0 && b.loads(0xA000) == 0);
    b.fillsData(0xC000, all);
    b.writes(abox | 7, 0);
    CHECK(b.loads(0xC000) == 0x8E0 && b.loads(0xA000) == 0);
}

void withoutSpacesOrHints() {
    TlbShape s = shape(4);
    s.asn = s.granularity = false;
    Bench b(s);
    b.space(7);
    b.fillsData(0x8000, all | 3 << 5);
    b.space(9);
    b.mode(true);
    CHECK(b.loads(0x8000) == 0 && b.loads(0xA000) == 0x8E0);
}

// --- random accesses against a walk of the page table ---

/// Page table of all spaces; each access looks at it alone.
struct Walk {
    std::map<std::pair<uint64_t, unsigned>, uint64_t> ptes; ///< by page and space; ASM: space 64
    unsigned pageShift;

    struct Found {
        unsigned trap; ///< 0, 0x8E0: no page
        unsigned bits;
        uint64_t physical;
    };
    Found operator()(uint64_t address, unsigned asn, bool user, bool write) const {
        for (unsigned hint = 0; hint < 4; ++hint) {
            const uint64_t pages = uint64_t{1} << 3 * hint, page = address >> pageShift & -pages;
            for (const unsigned space : {asn, 64u}) {
                const auto at = ptes.find({page, space});
                if (at == ptes.end() || (at->second >> 5 & 3) != hint)
                    continue;
                const uint64_t pte = at->second, within = (pages << pageShift) - 1;
                unsigned bits = pte >> (8 + user + 4 * write) & 1 ? 0 : 2;
                bits |= !write && pte & 2 ? 4 : write && pte & 4 ? 8 : 0;
                const uint64_t base = pte >> 32 << pageShift;
                return {bits ? 0x1E0u : 0, bits, (base & ~within) + (address & within)};
            }
        }
        return {0x8E0, 0, 0};
    }
};

void randomAccesses(unsigned seed, const TlbShape &s) {
    std::mt19937 random(seed);
    const auto one = [&random](unsigned of) { return static_cast<unsigned>(random() % of); };
    Bench b(s);
    Walk walk{{}, s.pageShift};
    // 16 regions of 512 pages, each with one granularity: nothing overlaps.
    const auto region = [](uint64_t number) { return number << 9; };
    const auto newPte = [&](unsigned hint) {
        uint64_t pte = 1 | uint64_t{one(4)} << 1 | uint64_t{hint} << 5;
        pte |= uint64_t{one(4)} << 8 | uint64_t{one(4)} << 12;
        if (one(2))
            pte |= 0x3300;
        return pte | uint64_t{one(1 << 12)} << 32;
    };
    unsigned asn = 0, misses = 0, faults = 0, good = 0;
    for (unsigned n = 0; n < 20000; ++n) {
        const unsigned number = one(16), hint = number % 4;
        const uint64_t page = region(number) | (one(16) << 3 * hint & 511);
        const bool any = number >= 12;
        switch (one(20)) {
        case 0: { // the page is another from here on
            auto &pte = walk.ptes[{page, any ? 64 : asn}];
            pte = newPte(hint) | (any ? 0x10 : 0);
            b.writes(abox | 8, page << s.pageShift);
            break;
        }
        case 1:
            walk.ptes.erase({page, any ? 64 : asn});
            b.writes(abox | 8, page << s.pageShift);
            break;
        case 2:
            asn = one(5) * 15;
            b.space(asn);
            break;
        case 3:
            if (!one(10))
                b.writes(abox | (one(2) ? 6 : 7), 0);
            break;
        default: {
            const bool user = one(2), write = one(2);
            uint64_t address = (page << s.pageShift) + 8 * one(1 << (s.pageShift - 3));
            address += uint64_t{one(1u << 3 * hint)} << s.pageShift;
            b.mode(user);
            const auto wanted = walk(address, asn, user, write);
            unsigned got = write ? b.stores(address) : b.loads(address);
            if (got == 0x8E0 && wanted.trap != 0x8E0) { // refill, as PALcode does
                ++misses;
                const uint64_t first = page & -(uint64_t{1} << 3 * hint);
                b.fillsData(address, walk.ptes.at({first, any ? 64 : asn}));
                got = write ? b.stores(address) : b.loads(address);
            }
            CHECK(got == wanted.trap);
            faults += got == 0x1E0;
            if (got == 0x1E0)
                CHECK(b.cpu.internal.faultStatus == status(write ? STQ : LDQ, wanted.bits | write));
            if (got)
                break;
            ++good;
            CHECK(b.cpu.translation().data(address, {user, !write, write}).physical ==
                  wanted.physical);
        }
        }
    }
    CHECK(misses > 200 && faults > 200 && good > 1000);
}

} // namespace

int main() {
    kindsOfAddresses();
    rights();
    faultsOnReadAndWrite();
    order();
    palModes();
    replacement();
    bothSides();
    spaces();
    withoutSpacesOrHints();
    for (unsigned seed = 1; seed <= 6; ++seed)
        randomAccesses(seed, shape(seed % 2 ? 4 : 128, seed % 3, seed % 2 ? 13 : 12));
}
