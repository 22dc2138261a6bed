// SPDX-License-Identifier: BSD-2-Clause
// Ends a run when a branch, an address or an output of its program depends on a bit of memory that
// nobody has written: in a new stack frame, in an object of malloc's. Such bits are followed
// through registers and memory. Nothing of the machine is another for it.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/zeroed.h"
#include "ranges.h"
#include "unknown_bits.h"

namespace mcpi {

/// A use of such a bit; `state.N.json` has it.
struct UnwrittenUse {
    const char *kind;             ///< branch, jump, address, output or exit
    uint64_t pc;                  ///< of the instruction that uses it
    uint64_t address;             ///< the byte, physical
    const char *place;            ///< stack, ended (a frame that is no more), heap, freed or memory
    uint64_t by = 0;              ///< who made the frame, or called for the object
    uint64_t from = 0, bytes = 0; ///< frame or object
};

class Unwritten {
  public:
    /// An instruction and its effects. `before`: a register's value before it; `physical`: where in
    /// memory or at which device's address it reads or writes, if it does.
    struct Done {
        uint64_t pc; ///< bit 0: PAL mode
        uint32_t word;
        std::optional<uint64_t> physical;
        uint64_t stackPointer; ///< after it
        const std::function<uint64_t(unsigned)> &before;
    };
    /// `file`: ranges of virtual addresses. `unwritten`: what nobody has
    /// written when the program begins; `stack`: its stack. The others are instructions:
    /// `allocates`, `allocated`: malloc's first, and one that returns from it; `frees`: free's
    /// first; `for-others`: the first of a function that calls malloc for its caller; `computes`:
    /// the first of a function whose result depends on its two arguments and on nothing else, and
    /// which may branch on them. UserError if it is something else.
    Unwritten(const std::string &file, uint64_t ramBytes);
    void executed(const Done &done);
    const std::optional<UnwrittenUse> &found() const { return found_; }
    /// RunError if the program has used such a bit.
    void check(unsigned node) const;

  private:
    enum class Place { allocates, allocated, frees, forOthers, computes };
    /// Bits of a register that nobody knows, and the byte of memory that its lowest byte came from,
    /// or would have come from.
    struct Tag {
        uint64_t unknown = 0;
        uint32_t origin = 0;
    };
    struct Object {
        uint64_t bytes, by;
        bool freed;
    };
    /// The caller of a function that calls malloc for its caller, and where it returns to.
    struct Outer {
        uint64_t by, returns;
    };
    struct Frame {
        uint64_t from, to, by;
    };
    void passes(Place place, const Done &done);
    void moveStackPointer(uint64_t pc, uint64_t before, uint64_t after);
    void unwrite(uint64_t from, uint64_t to);
    void access(const Done &done);
    void load(unsigned reg, uint64_t physical, unsigned bytes);
    void store(const Tag &tag, uint64_t physical, unsigned bytes);
    void operate(const Done &done);
    void set(unsigned reg, Tag tag);
    void uses(const char *kind, const Done &done, const Tag &tag);
    Bits bits(unsigned reg, const Done &done) const;

    Zeroed unknown_;              ///< of each byte of RAM, its bits
    Forgotten<uint32_t> origins_; ///< of each quadword: where its bits come from; 0: from itself
    uint64_t size_;
    Range stack_;
    std::unordered_map<uint64_t, Place> places_;
    std::array<Tag, 32> registers_{}, temps_{};
    std::vector<Frame> frames_;
    std::unordered_map<uint64_t, Object> objects_; ///< by address
    uint64_t wanted_ = 0, wants_ = 0;              ///< of malloc: bytes, and who calls it
    std::optional<Outer> outer_;
    uint64_t computed_ = 0;   ///< where a function that computes returns to; 0: there is none
    uint32_t computedOf_ = 0; ///< the origin of its result
    std::optional<UnwrittenUse> found_;
};

} // namespace mcpi
