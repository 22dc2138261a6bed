// SPDX-License-Identifier: BSD-2-Clause
#include "core.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <utility>

#include "base/error.h"
#include "models/alpha/operate.h"
#include "models/memory/geometry.h"

namespace mcpi::exact {
namespace {

using memory::Arrival;
using memory::Kind;
using memory::Step;
using memory::Wait;
using pipeline::Maker;

constexpr uint64_t physicalMask = (uint64_t{1} << 34) - 1;

bool isBarrier(uint32_t word) {
    const unsigned function = word & 0xFFFF;
    return word >> 26 == 0x18 && (function == 0x4000 || function == 0x4400);
}

/// Whether an instruction traps whatever its operands are.
bool illegal(uint32_t word, bool palMode, uint64_t status) {
    const unsigned opcode = word >> 26, function = word & 0x3FFFFFF;
    uint64_t result;
    switch (opcode) {
    case 0x00: {
        const bool privileged = function <= 0x3F, user = function >= 0x80 && function <= 0xBF;
        return !user && (!privileged || (!palMode && status & 0x18));
    }
    case 0x08:
    case 0x09:
    case 0x0B:
    case 0x0F:
    case 0x1A:
        return false;
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x13:
        return alpha::operate(opcode, word >> 5 & 0x7F, 0, 0, result) == alpha::Outcome::illegal;
    case 0x18:
        switch (word & 0xFFFF) {
        case 0x0000:
        case 0x0400:
        case 0x4000:
        case 0x4400:
        case 0x8000:
        case 0xA000:
        case 0xC000:
        case 0xE000:
        case 0xF000:
            return false;
        default:
            return true;
        }
    case 0x19:
    case 0x1B:
    case 0x1D:
    case 0x1E:
    case 0x1F:
        return !palMode;
    case 0x30:
    case 0x34:
        return false;
    default:
        return opcode < 0x28 || (opcode >= 0x30 && opcode < 0x38);
    }
}

} // namespace

Core::Core(const Machine &m, alpha::Ram &ram, IoBus &io)
    : cpu_(ram, *this), io_(io), memory_(memory::geometry(m)), latencies_(m),
      blockBytes_(m.parameter("cache.block")) {
    for (const char *key : {"memory.ideal", "core.prediction"})
        if (m.parameter(key))
            throw UserError(std::string(key) + ": the exact engine does not have it yet.");
    memory_.onTick = [](uint64_t) {};
    memory_.onEvent = [this](uint64_t, const char *counter) { lived_.counters.push_back(counter); };
    memory_.onLoad = [this] { loads(); };
    memory_.onStored = [this] {
        for (Store &store : stored_)
            if (!std::exchange(store.buffered, true))
                return;
    };
    memory_.onWrite = [this](uint64_t block) { writes(block * blockBytes_); };
    memory_.onConditional = [this](uint64_t, bool stores) { decided(stores); };
}

void Core::reset(uint64_t start) {
    cpu_.reset(start);
    next(Arrival::reset);
}

/// Stage D wants the instruction at the program counter.
void Core::next(Arrival arrival) {
    step_ = Step{};
    step_.pc = cpu_.pc & physicalMask;
    step_.arrival = arrival;
    if (step_.pc < cpu_.ram.size() && isBarrier(static_cast<uint32_t>(cpu_.ram.get(step_.pc, 4))))
        step_.kind = Kind::barrier; // empties the write buffer from its first tick in stage D on
    decodes_ = true;
    memory_.begin(step_);
}

/// The word is read when the instruction is there: what was stored before it has been stored.
void Core::decode() {
    decodes_ = false;
    word_ = static_cast<uint32_t>(cpu_.ram.get(step_.pc, 4));
    decoded_ = pipeline::decode(word_);
    const unsigned opcode = word_ >> 26;
    step_.kind = Kind::other;
    step_.locks = accesses_ = false;
    illegal_ = illegal(word_, cpu_.palMode, cpu_.internal.status);
    const unsigned ra = word_ >> 21 & 31;
    const bool pal = opcode == 0x1B || opcode == 0x1F;
    const bool store = opcode == 0x0F || opcode == 0x1F || (opcode >= 0x2C && opcode <= 0x2F);
    const bool load = opcode == 0x0B || opcode == 0x1B || (opcode >= 0x28 && opcode <= 0x2B);
    if ((load && ra != 31) || store) {
        displacement_ = pal ? static_cast<int32_t>(word_ << 20) >> 20 : static_cast<int16_t>(word_);
        bytes_ = (pal ? word_ >> 12 & 1 : opcode & 1) ? 8 : 4;
        accesses_ = true;
        stores_ = store;
        step_.locks = opcode == 0x2A || opcode == 0x2B;
    } else if (opcode == 0x1E) {
        step_.kind = Kind::returns;
    } else if (isBarrier(word_)) {
        step_.kind = Kind::barrier;
    } else if (opcode == 0x1D && (word_ & 0xDF) == 0x55) {
        step_.kind = Kind::flushFetch;
    }
}

/// Where it goes, as its register says in this tick: what a device answers comes late.
void Core::addressed() {
    const unsigned opcode = word_ >> 26;
    address_ = cpu_.r[word_ >> 16 & 31] + static_cast<uint64_t>(displacement_);
    step_.address = address_ & physicalMask & ~uint64_t{bytes_ - 1};
    step_.kind = opcode == 0x2E || opcode == 0x2F ? Kind::conditional
                 : step_.address >> 32            ? Kind::io
                 : stores_                        ? Kind::store
                                                  : Kind::load;
}

/// When each thing is there that it needs, in the order in which stage D asks.
void Core::operands() {
    needs_ = 0;
    need(decoded_.a);
    need(decoded_.b);
    if (decoded_.target != 31) {
        const Register &old = registers_[decoded_.target];
        if (old.maker == Maker::load && old.load == loads_)
            needed_[needs_++] = {0, true, Owner::dMiss}; // it may not be written before the load
        if (old.maker == Maker::product)
            needed_[needs_++] = {old.at, false, Owner::multiply};
    }
    if (decoded_.maker == Maker::product)
        needed_[needs_++] = {multiplier_, false, Owner::multiply};
    wanted_ = {device_ == Io::none ? ioDone_ : never, false};
    for (unsigned i = 0; i < needs_; ++i) {
        wanted_.fill |= needed_[i].fill;
        wanted_.from = std::max(wanted_.from, needed_[i].from);
    }
}

void Core::need(const pipeline::Source &source) {
    if (source.reg == 31)
        return;
    const Register &r = registers_[source.reg];
    if (r.maker == Maker::old)
        return;
    if (r.maker == Maker::load && r.load == loads_)
        needed_[needs_++] = {0, true, Owner::dMiss};
    const Owner owner = r.maker == Maker::compare   ? Owner::compare
                        : r.maker == Maker::shift   ? Owner::shift
                        : r.maker == Maker::load    ? Owner::loadUse
                        : r.maker == Maker::product ? Owner::multiply
                                                    : Owner::agen;
    needed_[needs_++] = {r.at + latencies_.distance(r.maker, source.use), false, owner};
}

/// Why its tick passes without it.
Owner Core::owner() const {
    const Wait wait = memory_.why(step_, {});
    switch (wait) {
    case Wait::redirected:
        return palcode_ ? Owner::exception : Owner::takenBubble;
    case Wait::trapped:
        return Owner::exception;
    case Wait::refilled:
        return Owner::refillRestart;
    case Wait::demand:
        return Owner::iDemand;
    case Wait::stream:
        return Owner::iStream;
    case Wait::bufferFull:
        return Owner::writeBufferFull;
    case Wait::io:
        return Owner::io;
    default:
        break;
    }
    const uint64_t tick = memory_.now();
    if (device_ != Io::none || tick < ioDone_)
        return Owner::io;
    for (unsigned i = 0; i < needs_; ++i)
        if (needed_[i].fill ? memory_.fills() : tick < needed_[i].from)
            return needed_[i].owner;
    return wait == Wait::barrier ? Owner::barrier : Owner::memoryPort;
}

const Lived &Core::live() {
    const uint64_t tick = memory_.now();
    lived_ = Lived{};
    lived_.tick = tick;
    if (takenBranch_)
        lived_.counters.push_back("taken_branches");
    takenBranch_ = false;
    const bool sleeps = cpu_.halted || (cpu_.waitMask && !(hirr_ & cpu_.waitMask));
    if (!sleeps)
        cpu_.waitMask = 0;
    step_.tick = tick;
    memory_.live(sleeps ? nullptr : &step_);
    if (device_ == Io::draining && tick > ioIssued_ + 1 && memory_.drained()) {
        device_ = Io::running;
        io_.begin(tick, ioAddress_, ioBytes_, ioWrite_, ioValue_);
        ioDone_ = never;
    }
    if (device_ == Io::running && io_.answers(tick))
        answered();
    if (sleeps) {
        lived_.owner = Owner::idle;
        memory_.end(nullptr);
    } else if (!memory_.there()) {
        lived_.owner = owner();
        memory_.end(nullptr);
    } else {
        if (decodes_)
            decode();
        if (accesses_)
            addressed();
        operands();
        // Interrupts: HIRR has the lines of the tick before.
        if (!cpu_.palMode && hirr_ & cpu_.internal.interruptEnable)
            trap([this] { cpu_.enter(alpha::vectorInterrupt, cpu_.programCounter()); });
        else if (illegal_)
            trap([this] { cpu_.step(); });
        else if (memory_.holds(step_, wanted_)) {
            lived_.owner = owner();
            memory_.end(nullptr);
        } else if (unaligned())
            trap([this] { cpu_.step(); });
        else
            issue();
    }
    hirr_ = io_.lines(tick);
    return lived_;
}

/// Its address is known when nothing else holds it.
bool Core::unaligned() const {
    const unsigned opcode = word_ >> 26;
    return accesses_ && opcode >= 0x28 && address_ % bytes_;
}

template <typename Enter> void Core::trap(Enter enter) {
    lived_.owner = Owner::exception;
    step_.what = Step::What::trap;
    memory_.end(&step_);
    enter();
    palcode_ = true;
    next(Arrival::trapped);
}

void Core::issue() {
    const uint64_t tick = step_.tick;
    const bool far = accesses_ && step_.kind != Kind::io && step_.address >= cpu_.ram.size();
    if (far || (step_.kind == Kind::conditional && step_.address >> 32))
        notYet("an access to where no memory is");
    lived_.owner = Owner::issue;
    lived_.pc = cpu_.programCounter() & physicalMask;
    memory_.end(&step_);
    const unsigned opcode = word_ >> 26;
    if (decoded_.maker == Maker::load && step_.kind == Kind::load)
        ++loads_;
    if (decoded_.target != 31) {
        Register &r = registers_[decoded_.target];
        r = {tick, decoded_.maker, loads_};
        if (decoded_.maker == Maker::product) {
            const uint64_t ticks = latencies_.product(decoded_);
            r.at = tick + ticks;
            multiplier_ = tick + ticks - 2;
        } else if (decoded_.maker == Maker::load && step_.kind != Kind::load) {
            r.maker = Maker::old; // of a device: it waits for it anyway
        }
    }
    if (step_.kind == Kind::io) {
        device_ = Io::draining;
        ioIssued_ = tick;
        ioAddress_ = step_.address;
        ioBytes_ = bytes_;
        ioWrite_ = stores_;
        ioRegister_ = word_ >> 21 & 31;
        ioValue_ = cpu_.r[ioRegister_];
    }
    execute();
    palcode_ = opcode == 0x00 || opcode == 0x1E; // CALL_PAL, HW_REI
    const bool always = palcode_ || opcode == 0x1A || opcode == 0x30 || opcode == 0x34;
    const bool taken = always || (opcode >= 0x38 && alpha::branchTaken(opcode, tested_));
    takenBranch_ = taken && !palcode_;
    next(taken ? Arrival::redirected : Arrival::sequential);
}

void Core::execute() {
    tested_ = cpu_.r[word_ >> 21 & 31];
    if (step_.kind == Kind::conditional) {
        conditional_ = {word_ >> 21 & 31, cpu_.r[word_ >> 21 & 31], step_.address, bytes_};
        cpu_.pc = alpha::place(cpu_.pc, 4);
        ++cpu_.executed;
        return;
    }
    if (step_.kind == Kind::load || step_.kind == Kind::store) {
        const unsigned reg = word_ >> 21 & 31;
        if (step_.kind == Kind::load)
            loading_ = {reg, step_.address, bytes_};
        else
            stored_.push_back({step_.address, cpu_.r[reg], bytes_, false});
        cpu_.pc = alpha::place(cpu_.pc, 4);
        ++cpu_.executed;
        return;
    }
    if (cpu_.step().trapped)
        notYet("an overflow trap");
}

/// Memory's, or of a store that has not reached it.
void Core::loads() {
    const auto &l = loading_;
    uint64_t value = cpu_.ram.get(l.address, l.bytes);
    for (const Store &store : stored_)
        for (unsigned i = 0; i < l.bytes; ++i) {
            const uint64_t at = l.address + i - store.address; // wraps if before it
            if (at < store.bytes)
                value = (value & ~(uint64_t{0xFF} << 8 * i)) | (store.value >> 8 * at & 0xFF)
                                                                   << 8 * i;
        }
    if (l.reg != 31)
        cpu_.r[l.reg] = l.bytes == 4 ? alpha::sext32(value) : value;
}

/// What the write buffer has of the block at `from` is in memory.
void Core::writes(uint64_t from) {
    const uint64_t bytes = blockBytes_;
    for (const Store &store : stored_)
        if (store.buffered && store.address - from < bytes)
            cpu_.ram.put(store.address, store.bytes, store.value);
    stored_.erase(std::remove_if(stored_.begin(), stored_.end(),
                                 [=](const Store &store) {
                                     return store.buffered && store.address - from < bytes;
                                 }),
                  stored_.end());
}

/// What the engine cannot do it does not approximate.
void Core::notYet(const char *what) const {
    char text[128];
    std::snprintf(text, sizeof text,
                  "%s, at pc %" PRIx64 ": the exact engine does not have it yet.", what, step_.pc);
    throw RunError(text);
}

/// STx_C: memory's side knows whether the flag was still up.
void Core::decided(bool stores) {
    const auto &c = conditional_;
    if (c.reg != 31)
        cpu_.r[c.reg] = stores;
    if (stores)
        cpu_.ram.put(c.address, c.bytes, c.value);
}

void Core::answered() {
    device_ = Io::none;
    ioDone_ = memory_.now() + 1;
    if (ioWrite_) {
        if (!io_.write(memory_.now(), ioAddress_, ioBytes_, ioValue_))
            notYet("a write that nothing answers");
        return;
    }
    uint64_t value = 0;
    if (!io_.read(memory_.now(), ioAddress_, ioBytes_, value))
        notYet("a read that nothing answers");
    if (ioRegister_ != 31)
        cpu_.r[ioRegister_] = ioBytes_ == 4 ? alpha::sext32(value) : value;
}

/// The core's own access is late: `answered` does it.
bool Core::read(uint64_t, unsigned, uint64_t &value) {
    value = 0;
    return true;
}
bool Core::write(uint64_t, unsigned, uint64_t) {
    return true;
}
void Core::setCycles(uint32_t count, bool counting) {
    counting_ = counting;
    count_ = count;
    zero_ = memory_.now() + 1 - count;
}

} // namespace mcpi::exact
