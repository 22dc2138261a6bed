// SPDX-License-Identifier: BSD-2-Clause
#include "unwritten.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

#include "alpha/opcode.h"
#include "base/address.h"
#include "base/error.h"
#include "base/text.h"
#include "machines/instructions.h"

namespace mcpi {
namespace {

/// Registers with a meaning.
namespace role {
constexpr unsigned result = 0, first = 16, second = 17, back = 26, stack = 30, zero = 31;
}
constexpr unsigned ofPalTemp = 0x80;  // HW_MxPR's selector
constexpr uint32_t callOfService = 9; // CALL_PAL cserve: a0 says what, a1 is the code of an exit
constexpr uint64_t serviceExit = 2;   // (palcode.md)

unsigned fieldA(uint32_t word) {
    return word >> 21 & 31;
}
unsigned fieldB(uint32_t word) {
    return word >> 16 & 31;
}

bool isLoad(unsigned opcode) {
    using namespace alpha::opcode;
    return opcode == LDQ_U || opcode == LDL || opcode == LDQ || opcode == LDL_L ||
           opcode == LDQ_L || opcode == HW_LD;
}
bool isStore(unsigned opcode) {
    using namespace alpha::opcode;
    return opcode == STQ_U || opcode == STL || opcode == STQ || opcode == STL_C ||
           opcode == STQ_C || opcode == HW_ST;
}
bool isBranch(unsigned opcode) {
    using namespace alpha::opcode;
    return opcode >= BLBC && opcode != BR && opcode != BSR;
}

unsigned bytesOf(uint32_t word) {
    using namespace alpha::opcode;
    const unsigned opcode = word >> 26;
    const bool quad = opcode == HW_LD || opcode == HW_ST
                          ? (word >> 12 & 1) != 0
                          : (opcode & 1) != 0 || opcode == LDQ_U || opcode == STQ_U;
    return quad ? 8 : 4;
}

/// By how many bytes an instruction moves those of its first operand downwards.
int bytesDown(uint32_t word, uint64_t b) {
    using namespace alpha::function;
    if (word >> 26 != alpha::opcode::INTS)
        return 0;
    const int byte = static_cast<int>(b & 7);
    switch (word >> 5 & 0x7F) {
    case SRL:
    case SRA:
        return static_cast<int>(b & 63) / 8;
    case SLL:
        return -static_cast<int>(b & 63) / 8;
    case EXTBL:
    case EXTWL:
    case EXTLL:
    case EXTQL:
        return byte;
    case EXTWH:
    case EXTLH:
    case EXTQH:
        return byte - 8;
    case INSBL:
    case INSWL:
    case INSLL:
    case INSQL:
        return -byte;
    case INSWH:
    case INSLH:
    case INSQH:
        return 8 - byte;
    default:
        return 0;
    }
}

} // namespace

Unwritten::Unwritten(const std::string &file, uint64_t ramBytes)
    : unknown_(ramBytes), origins_(ramBytes / 8), size_(ramBytes) {
    static const std::unordered_map<std::string, Place> names = {{"allocates", Place::allocates},
                                                                 {"allocated", Place::allocated},
                                                                 {"frees", Place::frees},
                                                                 {"for-others", Place::forOthers},
                                                                 {"computes", Place::computes}};
    for (const auto &[what, there] : rangesOf(file)) {
        const Range range{there.from & physicalMask, there.to & physicalMask};
        if (what == "unwritten")
            unwrite(range.from, range.to);
        else if (what == "stack")
            stack_ = range;
        else if (const auto found = names.find(what); found != names.end())
            places_[range.from] = found->second;
        else
            throw UserError(file + ": '" + what +
                            "': unwritten, stack, allocates, allocated, frees, for-others or "
                            "computes is wanted.");
    }
}

void Unwritten::executed(const Done &done) {
    if (found_)
        return;
    const uint32_t word = done.word;
    const unsigned opcode = word >> 26;
    const bool pal = done.pc & 1;
    const uint64_t at = done.pc & physicalMask & ~uint64_t{3};
    if (computed_ == at && !pal) {
        computed_ = 0;
        registers_[role::result] = {~uint64_t{0}, computedOf_};
    }
    if (outer_ && outer_->returns == at)
        outer_.reset();
    if (const auto place = places_.find(at); place != places_.end() && !pal)
        passes(place->second, done);
    if (word == callOfService && !pal && done.before(role::first) == serviceExit) {
        if (Tag code = registers_[role::second]; code.unknown &= 0xFF)
            uses("exit", done, code);
    } else if (isLoad(opcode) || isStore(opcode)) {
        access(done);
    } else if (isBranch(opcode)) {
        if (!decided(opcode, bits(fieldA(word), done)))
            uses("branch", done, registers_[fieldA(word)]);
    } else {
        operate(done);
    }
    if (const uint64_t before = done.before(role::stack); !pal && before != done.stackPointer)
        moveStackPointer(at, before & physicalMask, done.stackPointer & physicalMask);
}

void Unwritten::passes(Place place, const Done &done) {
    const uint64_t caller = (done.before(role::back) & physicalMask & ~uint64_t{3}) - 4;
    switch (place) {
    case Place::forOthers:
        if (!outer_)
            outer_ = {caller, caller + 4};
        break;
    case Place::allocates:
        wanted_ = done.before(role::first);
        wants_ = outer_ ? outer_->by : caller;
        break;
    case Place::allocated: {
        const uint64_t object = done.before(role::result) & physicalMask;
        if (!object || object + wanted_ > size_)
            break;
        objects_[object] = {wanted_, wants_, false};
        unwrite(object, object + wanted_);
        break;
    }
    case Place::frees:
        if (const auto found = objects_.find(done.before(role::first) & physicalMask);
            found != objects_.end()) {
            found->second.freed = true;
            unwrite(found->first, found->first + found->second.bytes);
        }
        break;
    case Place::computes: {
        const Tag &one = registers_[role::first], &two = registers_[role::second];
        if (computed_ || !(one.unknown | two.unknown))
            break;
        computed_ = caller + 4;
        computedOf_ = one.unknown ? one.origin : two.origin;
    }
    }
}

/// A frame is made or ends: what is in it nobody has written. Another stack is none of ours.
void Unwritten::moveStackPointer(uint64_t pc, uint64_t before, uint64_t after) {
    const auto inside = [this](uint64_t at) { return at >= stack_.from && at <= stack_.to; };
    if (!inside(before) || !inside(after))
        return;
    unwrite(std::min(before, after), std::max(before, after));
    if (after < before) {
        frames_.push_back({after, before, pc});
        return;
    }
    while (!frames_.empty() && frames_.back().to <= after)
        frames_.pop_back();
    if (!frames_.empty())
        frames_.back().from = std::max(frames_.back().from, after);
}

void Unwritten::unwrite(uint64_t from, uint64_t to) {
    to = std::min(to, size_);
    if (from >= to)
        return;
    std::memset(&unknown_[from], 0xFF, to - from);
    for (uint64_t quad = from / 8; quad <= (to - 1) / 8; ++quad)
        if (origins_[quad])
            origins_[quad] = 0;
}

void Unwritten::access(const Done &done) {
    using namespace alpha::opcode;
    const uint32_t word = done.word;
    const unsigned opcode = word >> 26, reg = fieldA(word), bytes = bytesOf(word);
    if (isLoad(opcode) && reg == role::zero)
        return;
    if (const Tag &base = registers_[fieldB(word)]; base.unknown != 0)
        uses("address", done, base);
    const bool ram = done.physical && *done.physical + bytes <= size_;
    if (isLoad(opcode)) {
        if (ram)
            load(reg, *done.physical, bytes);
        else
            set(reg, {});
        return;
    }
    Tag tag = registers_[reg];
    if (bytes == 4)
        tag.unknown &= 0xFFFFFFFF;
    if (opcode == STL_C || opcode == STQ_C)
        set(reg, {});
    if (ram)
        store(tag, *done.physical, bytes);
    else if (tag.unknown != 0)
        uses("output", done, tag);
}

void Unwritten::load(unsigned reg, uint64_t physical, unsigned bytes) {
    Tag tag;
    std::memcpy(&tag.unknown, &unknown_[physical], bytes); // the host is little-endian
    if (tag.unknown) {
        const uint32_t origin = origins_[physical / 8];
        tag.origin =
            origin ? origin + static_cast<uint32_t>(physical & 7) : static_cast<uint32_t>(physical);
    }
    if (bytes == 4)
        tag.unknown = extended(tag.unknown);
    set(reg, tag);
}

void Unwritten::store(const Tag &tag, uint64_t physical, unsigned bytes) {
    std::memcpy(&unknown_[physical], &tag.unknown, bytes);
    const uint64_t quad = physical / 8;
    const uint32_t origin = tag.unknown ? tag.origin - static_cast<uint32_t>(physical & 7) : 0;
    if (origin == 8 * quad || !tag.unknown)
        return; // a longword of the quadword may have another origin still
    origins_[quad] = origin;
}

void Unwritten::operate(const Done &done) {
    using namespace alpha::opcode;
    const uint32_t word = done.word;
    const unsigned opcode = word >> 26, a = fieldA(word), b = fieldB(word), c = word & 31;
    switch (opcode) {
    case LDA:
    case LDAH: {
        const auto offset = static_cast<uint64_t>(int64_t{static_cast<int16_t>(word)});
        const Bits by{opcode == LDAH ? offset << 16 : offset, 0};
        set(a, {unknownOfSum(bits(b, done), by), registers_[b].origin});
        return;
    }
    case INTA:
    case INTL:
    case INTS:
    case INTM: {
        const bool literal = word >> 12 & 1;
        const Bits two = literal ? Bits{word >> 13 & 0xFF, 0} : bits(b, done);
        const Tag &first = registers_[a], &second = registers_[literal ? role::zero : b];
        Tag tag{unknownOf(word, bits(a, done), two, bits(c, done)), 0};
        if (first.unknown)
            tag.origin = first.origin + static_cast<uint32_t>(bytesDown(word, two.value));
        else
            tag.origin = second.unknown ? second.origin : registers_[c].origin;
        set(c, tag);
        return;
    }
    case JUMP:
        if (registers_[b].unknown != 0)
            uses("jump", done, registers_[b]);
        set(a, {});
        return;
    case HW_MFPR:
        set(a, word & ofPalTemp ? temps_[word & 31] : Tag{});
        return;
    case HW_MTPR:
        if (word & ofPalTemp)
            temps_[word & 31] = registers_[b];
        return;
    case MISC:
        if ((word & 0xFFFF) < alpha::function::RPCC)
            return;      // barriers and hints
        [[fallthrough]]; // RPCC, RC, RS
    case BR:
    case BSR:
        set(a, {});
        return;
    default:
        return; // CALL_PAL, HW_REI: no register
    }
}

void Unwritten::set(unsigned reg, Tag tag) {
    if (reg != role::zero)
        registers_[reg] = tag;
}

Bits Unwritten::bits(unsigned reg, const Done &done) const {
    return reg == role::zero ? Bits{} : Bits{done.before(reg), registers_[reg].unknown};
}

void Unwritten::uses(const char *kind, const Done &done, const Tag &tag) {
    if (done.pc & 1 || computed_ || found_)
        return;
    const uint64_t at = tag.origin + static_cast<uint64_t>(__builtin_ctzll(tag.unknown)) / 8;
    UnwrittenUse use{kind, done.pc, at, "memory"};
    if (at >= stack_.from && at < stack_.to)
        use.place = "ended";
    for (const Frame &frame : frames_)
        if (at >= frame.from && at < frame.to)
            use = {kind, done.pc, at, "stack", frame.by, frame.from, frame.to - frame.from};
    for (const auto &[from, object] : objects_)
        if (at >= from && at < from + object.bytes && (!use.bytes || !object.freed))
            use = {kind,      done.pc, at,          object.freed ? "freed" : "heap",
                   object.by, from,    object.bytes};
    found_ = use;
}

void Unwritten::check(unsigned node) const {
    if (found_)
        throw RunError(
            text("node %u: a %s depends on memory that nobody has written: at pc %" PRIx64
                 ", of address %" PRIx64 ".",
                 node, found_->kind, found_->pc, found_->address));
}

} // namespace mcpi
