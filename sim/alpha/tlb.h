// SPDX-License-Identifier: BSD-2-Clause
// A translation buffer: entries that any page may be in (docs/explanation/translation.md, Entries).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mcpi::alpha {

/// Bits of a page table entry.
struct Pte {
    static constexpr uint64_t valid = 1, faultOnRead = 1 << 1, faultOnWrite = 1 << 2,
                              faultOnExecute = 1 << 3, anySpace = 1 << 4;
    static constexpr uint64_t kernelReads = 1 << 8, userReads = 1 << 9, kernelWrites = 1 << 12,
                              userWrites = 1 << 13;
    static constexpr unsigned granularity = 5, frame = 32; ///< their lowest bits
};

/// The TLBs of a machine.
struct TlbShape {
    unsigned dataEntries = 32, instructionEntries = 12;
    unsigned pageShift = 13;
    bool granularity = true, asn = true;
    bool lastUsed = true; ///< the entry that was used last is not replaced
};

class Tlb {
  public:
    struct Entry {
        bool used = false; ///< it holds something
        uint64_t page = 0; ///< of a virtual address without bit 63
        unsigned shift = 0;
        unsigned asn = 0;
        uint64_t pte = 0;

        bool anySpace() const { return pte & Pte::anySpace; }
        bool matches(uint64_t address, unsigned space) const {
            return used && address >> shift == page && (anySpace() || asn == space);
        }
    };

    Tlb(unsigned entries, bool lastUsed) : entries_(entries), lastUsed_(lastUsed) {}

    /// The first that matches, or null.
    const Entry *find(uint64_t address, unsigned space) const {
        for (const Entry &entry : entries_)
            if (entry.matches(address, space))
                return &entry;
        return nullptr;
    }
    /// An access has used the entry that `find` gave.
    void uses(const Entry *entry) {
        if (lastUsed_ && entry == &entries_[next_])
            moves();
    }
    void fill(const Entry &entry) {
        entries_[next_] = entry;
        entries_[next_].used = true;
        moves();
    }
    void empty() {
        for (Entry &entry : entries_)
            entry.used = false;
        next_ = 0;
    }
    /// Entries of one space alone go.
    void emptySpaces() {
        for (Entry &entry : entries_)
            entry.used &= entry.anySpace();
    }
    void drop(uint64_t address, unsigned space) {
        for (Entry &entry : entries_)
            entry.used &= !entry.matches(address, space);
    }

  private:
    void moves() { next_ = (next_ + 1) % entries_.size(); }

    std::vector<Entry> entries_;
    std::size_t next_ = 0; ///< the one to be replaced
    bool lastUsed_;
};

} // namespace mcpi::alpha
