// SPDX-License-Identifier: BSD-2-Clause
// The classifier of the LANCE (lance.md, Classifier): entries, and which of them a frame matches.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace mcpi::exact {

class Classifier {
  public:
    static constexpr unsigned entries = 8, places = 64;
    using Set = uint8_t; ///< of entries, a bit each

    /// Write longword `place` of an entry; the last is the count.
    void write(unsigned entry, unsigned place, uint32_t value) {
        Entry &e = entries_[entry];
        e.count = place == places - 1 ? value % places : 0;
        if (place < places - 1)
            e.words[place] = {static_cast<uint16_t>(value), static_cast<uint16_t>(value >> 16)};
    }
    /// Entries that a frame which begins now may match.
    Set live() const {
        return of([](const Entry &e) { return e.count != 0; });
    }
    /// Entries that match the bytes of a whole frame.
    Set matching(const std::vector<uint8_t> &frame) const {
        return of([&](const Entry &e) {
            bool same = 2 * e.count <= frame.size();
            for (unsigned n = 0; same && n < e.count; ++n) {
                const unsigned word = frame[2 * n] | frame[2 * n + 1] << 8;
                same = (word & e.words[n].mask) == (e.words[n].value & e.words[n].mask);
            }
            return same;
        });
    }
    /// The path id of a frame that matches these entries.
    static unsigned path(Set matched) {
        for (unsigned i = 0; i < entries; ++i)
            if (matched >> i & 1)
                return i + 1;
        return 0;
    }

  private:
    struct Word {
        uint16_t value = 0, mask = 0;
    };
    struct Entry {
        std::array<Word, places - 1> words{};
        unsigned count = 0;
    };
    template <typename F> Set of(F holds) const {
        Set found = 0;
        for (unsigned i = 0; i < entries; ++i)
            found |= static_cast<Set>(holds(entries_[i]) << i);
        return found;
    }

    std::array<Entry, entries> entries_;
};

} // namespace mcpi::exact
