// SPDX-License-Identifier: BSD-2-Clause
#include "core.h"

#include <algorithm>
#include <utility>

#include "models/alpha/operate.h"
#include "models/memory/geometry.h"

namespace mcpi::exact {
namespace {

using memory::Arrival;
using memory::Happened;
using memory::Kind;
using memory::Step;
using memory::Wait;
using pipeline::Maker;
using Access = Instruction::Access;
using Flow = Instruction::Flow;

constexpr uint64_t overflowSummary = 1 << 8; // EXC_SUM: IOV
constexpr unsigned iccsr = 0x22;             // as HW_MTPR names it

Owner ownerOf(Maker maker) {
    switch (maker) {
    case Maker::compare:
        return Owner::compare;
    case Maker::shift:
        return Owner::shift;
    case Maker::load:
        return Owner::loadUse;
    case Maker::product:
        return Owner::multiply;
    default:
        return Owner::agen;
    }
}

memory::Geometry geometry(const Machine &m) {
    memory::Geometry g = memory::geometry(m);
    g.ideal = m.parameter("memory.ideal");
    return g;
}

} // namespace

Core::Core(const Machine &m, alpha::Ram &ram, IoBus &io, unsigned number)
    : number_(number), cpu_(ram, *this), io_(&io), memory_(geometry(m)), prediction_(m),
      fetched_(m.parameter("cache.block")), latencies_(m), blockBytes_(m.parameter("cache.block")),
      ideal_(m.parameter("memory.ideal")) {}

Core::Core(const Core &other, alpha::Ram &ram, IoBus &io) : Core(other) {
    cpu_.belongsTo(ram, *this);
    io_ = &io;
}

void Core::reset(uint64_t start) {
    cpu_.reset(start);
    wants(Arrival::reset);
}

/// Stage D wants the instruction at the program counter.
void Core::wants(Arrival arrival) {
    step_.what = Step::What::issue;
    step_.kind = Kind::other;
    step_.locks = false;
    step_.pc = physical(cpu_.pc);
    step_.arrival = arrival;
    arrived_ = false;
    memory_.begin(step_);
}

/// The word is read until the instruction is there: from memory, unless that has changed since.
void Core::look() {
    const uint64_t pc = step_.pc;
    uint32_t word = 0;
    if (pc < cpu_.ram().size()) {
        word = static_cast<uint32_t>(cpu_.ram().get(pc, 4));
        if (fetched_.any()) {
            if (memory_.readBefore(pc)) {
                word = fetched_.ahead(pc);
            } else {
                fetched_.passed();
                word = fetched_.word(pc, cpu_.ram());
            }
        }
    }
    instruction_ = decoder_(pc, word);
    step_.kind = instruction_.kind;
    if (cold_ == step_.pc && memory_.now() >= coldFrom_)
        step_.what = Step::What::cold;
}

/// It is there for the first time.
void Core::arrives() {
    arrived_ = true;
    came_ = memory_.now();
    quiet_ = false;
    step_.locks = instruction_.locks;
    guess_.reset();
    if (prediction_.on()) {
        prediction_.arrives(step_.arrival == Arrival::sequential);
        guess_ = prediction_.target(instruction_, cpu_.pc);
        if (guess_)
            memory_.follow(physical(*guess_), prediction_.right(0));
    }
}

/// Where it goes, as its register says in this tick: what a device answers comes late.
void Core::addressed() {
    const Instruction &i = instruction_;
    address_ = cpu_.r[i.word >> 16 & 31] + static_cast<uint64_t>(int64_t{i.displacement});
    step_.address = physical(address_) & ~uint64_t{i.bytes - 1u};
    step_.kind = i.conditional               ? Kind::conditional
                 : step_.address >> 32       ? Kind::io
                 : i.access == Access::store ? Kind::store
                                             : Kind::load;
}

/// What of all that it needs is not there yet, in the order in which stage D asks.
void Core::operands() {
    const pipeline::Decoded &d = instruction_.decoded;
    needs_ = 0;
    need(d.a);
    need(d.b);
    if (d.target != 31) {
        const Register &old = registers_[d.target];
        if (old.maker == Maker::load && old.load == loads_)
            needsFill(); // it may not be written before the load has been
        if (old.maker == Maker::product) {
            const bool waits = d.target == productRegister_ && late_.productWaits();
            needsTick(waits ? never : old.at, Owner::multiply);
        }
    }
    if (d.maker == Maker::product)
        needsTick(multiplier_, Owner::multiply);
}

void Core::need(const pipeline::Source &source) {
    if (source.reg == 31)
        return;
    const Register &r = registers_[source.reg];
    if (r.maker == Maker::old)
        return;
    if (r.maker == Maker::load && r.load == loads_)
        needsFill();
    const uint64_t distance = latencies_.distance(r.maker, source.use);
    if (r.moved && distance < 2) // it may be the load's value all the same
        needsTick(r.at + 2, Owner::loadUse);
    needsTick(r.at + distance, ownerOf(r.maker));
}

void Core::needsFill() {
    if (memory_.fills())
        needed_[needs_++] = {never, true, Owner::dMiss};
}

void Core::needsTick(uint64_t from, Owner owner) {
    if (memory_.now() < from)
        needed_[needs_++] = {from, false, owner};
}

/// The first of them that is not there in this tick either.
const Core::Need *Core::lacks() const {
    for (unsigned i = 0; i < needs_; ++i)
        if (needed_[i].fill ? memory_.fills() : memory_.now() < needed_[i].from)
            return &needed_[i];
    return nullptr;
}

/// Why its tick passes without it.
Owner Core::owner() const {
    const Wait wait = memory_.why(step_);
    switch (wait) {
    case Wait::redirected:
        return redirection_;
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
    case Wait::io: // a STx_C to a device is an access from the tick after its decision on
        return memory_.happened().has(Happened::decided) ? Owner::barrier : Owner::io;
    default:
        break;
    }
    const uint64_t tick = memory_.now();
    if (device_ != Io::none || tick < ioDone_)
        return Owner::io;
    if (memory_.decides())
        return Owner::barrier;
    if (tick < checked_)
        return Owner::multiply;
    if (const Need *need = lacks())
        return need->owner;
    if (late_.crowded())
        return Owner::multiply;
    return wait == Wait::barrier ? Owner::barrier : Owner::memoryPort;
}

const Lived &Core::live(uint64_t until) {
    const uint64_t to = std::min(next(), until);
    if (to > memory_.now())
        pass(later_ ? memory_.now() + 1 : to);
    else
        tick();
    return lived_;
}

/// Ticks that only pass.
void Core::pass(uint64_t until) {
    const uint64_t tick = memory_.now();
    begin(until - tick);
    lived_.events |= memory_.steady();
    if (!sleeps(tick))
        lived_.owner = owner();
    memory_.skip(lived_.count);
    late_.skip(lived_.count);
    hirr_ = io_->lines(tick);
}

void Core::begin(uint64_t count) {
    const uint64_t tick = memory_.now();
    if (tick == palAt_)
        pal_ = palNext_;
    lived_ = Lived{};
    lived_.tick = tick;
    lived_.count = count;
    lived_.core = number_;
    lived_.events = later_ | (pal_ ? palTick : 0);
    later_ = 0;
}

bool Core::sleeps(uint64_t tick) const {
    return cpu_.halted || (cpu_.waitMask && (tick == waitFrom_ || !(hirr_ & cpu_.waitMask)));
}

void Core::tick() {
    const uint64_t tick = memory_.now();
    begin(1);
    const bool sleep = sleeps(tick);
    if (!sleep)
        cpu_.waitMask = 0;
    step_.tick = tick;
    if (memory_.looks())
        look();
    memory_.live(sleep ? nullptr : &step_);
    memorysSide();
    if (device_ != Io::none)
        devices(tick);
    if (sleep) {
        ends(nullptr);
    } else if (!memory_.there()) {
        lived_.owner = owner();
        ends(nullptr);
    } else {
        stageD();
    }
    lived_.events |= memory_.happened().events;
    lived_.again = memory_.happened().again;
    hirr_ = io_->lines(tick);
}

/// Memory's tick is over: the step has issued or trapped (`step`), or waits (null).
void Core::ends(const Step *step) {
    memory_.end(step);
    if (ideal_)
        betweenTicks();
}

/// With ideal memory the bus has been used since.
void Core::betweenTicks() {
    const Happened &h = memory_.happened();
    if (h.has(Happened::loadTaken)) {
        loads(false);
        late_.hits();
    }
    const bool first = memory_.storesFirst();
    if (h.fetched != memory::noBlock && !first)
        fetchedIn(h.fetched);
    if (h.has(Happened::written))
        writes(h.block);
    if (h.has(Happened::decided) && conditional_.waits)
        decided(memory_.now() - 1, h.has(Happened::stores));
    if (h.fetched != memory::noBlock && first)
        fetchedIn(h.fetched);
}

/// A block has come into the I-cache.
void Core::fetchedIn(uint64_t block) {
    if (fetched_.any())
        fetched_.arrives(block);
    if (prediction_.on())
        prediction_.filled(block, fetched_.bytes(block, cpu_.ram()));
}

/// Memory is about to: what the I-cache and the stream buffer have of it stays as it is.
void Core::changes(uint64_t block) {
    if (memory_.fetched(block))
        fetched_.changes(block, FetchedCode::Place::cache, cpu_.ram());
    if (memory_.streamed(block))
        fetched_.changes(block, FetchedCode::Place::stream, cpu_.ram());
}

/// With ideal memory DMA has written as soon as it has the bus. The D-cache hears of it in the end.
void Core::dma(bool ends) {
    const memory::Dma &dma = memory_.bus().dma();
    const uint64_t block = dma.address / blockBytes_;
    if (dma.write && ideal_ != ends)
        changes(block);
    if (dma.write && ideal_)
        before_.block = memory::noBlock;
    if (dma.write && ideal_ && !ends && memory_.loaded(block)) {
        const uint8_t *const from = cpu_.ram().data() + block * blockBytes_;
        before_ = {block, {from, from + blockBytes_}};
    }
    io_->dma(memory_.now(), ends);
}

/// What the tick of memory means for data, registers, prediction.
void Core::memorysSide() {
    const Happened &h = memory_.happened();
    const uint64_t tick = memory_.now();
    const bool loaded = std::exchange(loaded_, false);
    late_.tick(h.has(Happened::filled) || tick == arrives_, tick == product_);
    if (!h.what)
        return;
    if (h.has(Happened::arrives) && !memory_.failed())
        fetchedIn(step_.pc / blockBytes_);
    if (h.has(Happened::loadHits)) {
        loads(true);
        if (loaded)
            late_.hits();
    }
    if (h.has(Happened::dmaEnds))
        dma(true);
    if (h.has(Happened::loadTaken))
        loads(false);
    if (h.has(Happened::dmaTaken))
        dma(false);
    if (h.has(Happened::written))
        writes(h.block);
    if (h.has(Happened::buffered))
        buffered();
    if (h.has(Happened::decided))
        decided(tick, h.has(Happened::stores));
    if (h.has(Happened::flushes))
        fetched_.flush(step_.pc, cpu_.ram());
    if (h.has(Happened::failed))
        machineCheck_ = std::min(machineCheck_, tick + 1);
}

uint64_t Core::next() const {
    const uint64_t tick = memory_.now();
    const bool awake = !cpu_.halted && !cpu_.waitMask;
    if ((awake && memory_.looks()) || loaded_ || late_.waits() || machineCheck_ != never ||
        overflow_ != never || (device_ == Io::draining && memory_.drained()))
        return tick;
    if (cpu_.waitMask && !cpu_.halted && (tick <= waitFrom_ || !sleeps(tick)))
        return tick;
    uint64_t first = memory_.next(awake ? &step_ : nullptr);
    const auto until = [&first, tick](uint64_t at) {
        if (at >= tick && at < first)
            first = at;
    };
    until(product_);
    until(arrives_);
    if (palAt_ > tick)
        until(palAt_);
    if (device_ == Io::running)
        until(io_->answers(tick));
    if (awake && memory_.there())
        until(untilIssue(tick));
    return first;
}

/// The instruction is in stage D: the next tick in which it may leave, or another thing holds it.
uint64_t Core::untilIssue(uint64_t tick) const {
    if (!holds() || step_.what == Step::What::cold ||
        (!cpu_.palMode && hirr_ & cpu_.internal.interruptEnable))
        return tick;
    uint64_t first = never;
    const auto until = [&first, tick](uint64_t at) {
        if (at > tick && at < first)
            first = at;
    };
    until(checked_);
    until(ioDone_);
    for (unsigned i = 0; i < needs_; ++i)
        if (!needed_[i].fill)
            until(needed_[i].from);
    return first;
}

/// The instruction is there.
void Core::stageD() {
    if (!arrived_)
        arrives();
    const Instruction &i = instruction_;
    if (i.access != Access::none)
        addressed();
    operands();
    if (traps())
        return;
    if (step_.what == Step::What::cold)
        return waitsCold();
    if (holds()) {
        lived_.owner = owner();
        prediction_.waits();
        ends(nullptr);
    } else if (i.aligned && address_ % i.bytes) { // known when nothing else holds it
        trap([this] { cpu_.execute(instruction_.word); });
    } else {
        issue();
    }
}

/// It waits until nothing is under way; then the caches are emptied and it comes anew.
void Core::waitsCold() {
    const uint64_t tick = memory_.now();
    const bool may = tick >= checked_, starts = may && quiet_;
    lived_.owner = may ? Owner::barrier : Owner::multiply;
    quiet_ = may && memory_.frontQuiet() && !memory_.holds(step_) && !memory_.undrained() &&
             device_ == Io::none && tick >= ioDone_;
    prediction_.waits();
    ends(starts ? &step_ : nullptr);
    if (!starts)
        return;
    lived_.events |= coldStart;
    cold_.reset();
    fetched_.empty();
    before_.block = memory::noBlock;
    wants(Arrival::cold);
}

bool Core::holds() const {
    return device_ != Io::none || memory_.now() < ioDone_ || memory_.holds(step_) || lacks() ||
           memory_.now() < checked_ || late_.crowded();
}

/// Whether a trap takes its place, in this order.
bool Core::traps() {
    const uint64_t tick = memory_.now(), pc = cpu_.programCounter();
    const auto enter = [this, pc](alpha::Vector vector) {
        trap([this, pc, vector] { cpu_.enter(vector, pc); });
        return true;
    };
    if (tick >= machineCheck_) {
        machineCheck_ = never;
        return enter(alpha::vectorMachineCheck);
    }
    if (tick < checked_)
        return false;
    if (tick >= overflow_ && (ofPal_ || !cpu_.palMode)) {
        overflow_ = never;
        cpu_.internal.exceptionSummary |= overflowSummary;
        return enter(alpha::vectorArithmetic);
    }
    // HIRR has the lines of the tick before.
    if (!cpu_.palMode && hirr_ & cpu_.internal.interruptEnable)
        return enter(alpha::vectorInterrupt);
    if (memory_.failed())
        return enter(alpha::vectorMachineCheck);
    if (!instruction_.traps(cpu_.palMode, cpu_.internal.status))
        return false;
    trap([this] { cpu_.execute(instruction_.word); });
    return true;
}

template <typename Enter> void Core::trap(Enter enter) {
    lived_.owner = Owner::exception;
    step_.what = Step::What::trap;
    ends(&step_);
    enter();
    palAt_ = step_.tick + 1;
    palNext_ = true;
    wants(Arrival::trapped);
}

void Core::issue() {
    const uint64_t tick = step_.tick;
    const Instruction &i = instruction_;
    const pipeline::Decoded &d = i.decoded;
    lived_.owner = Owner::issue;
    lived_.pc = cpu_.programCounter();
    if (watched_)
        issued_ = {step_, address_, i.access == Access::store};
    ends(&step_);
    const bool loads = i.access == Access::load && step_.kind == Kind::load;
    if (loads) {
        ++loads_;
        loaded_ = true;
    }
    if (d.target != 31) {
        const Register &old = registers_[d.target];
        const bool moved = i.moves && old.maker == Maker::load && old.at + 1 == tick;
        registers_[d.target] = {tick, d.maker, loads_, moved};
        if (d.maker == Maker::load && step_.kind != Kind::load)
            registers_[d.target].maker = Maker::old; // of a device: it waits for it anyway
    }
    if (i.multiplies) {
        const uint64_t ticks = latencies_.product(d);
        product_ = tick + ticks;
        multiplier_ = product_ - 2;
        productRegister_ = d.target;
        if (d.target != 31)
            registers_[d.target].at = product_;
        if (i.overflows)
            checked_ = product_ + 1;
    }
    const unsigned reg = i.word >> 21 & 31;
    if (step_.kind == Kind::io)
        toDevice(tick, {step_.address, cpu_.r[reg], i.bytes, reg, i.access == Access::store});
    else if (step_.kind == Kind::conditional && step_.address >> 32)
        ioDone_ = tick + 2; // in stage E1 it looks like any access to a device
    leaves();
}

/// It is executed, and something follows it.
void Core::leaves() {
    const Instruction &i = instruction_;
    const uint64_t tick = step_.tick, pc = cpu_.pc;
    const bool wasPal = cpu_.palMode;
    const uint64_t tested = cpu_.r[i.word >> 21 & 31];
    if (!execute()) {
        overflow_ = i.multiplies ? checked_ : tick + 1;
        ofPal_ = wasPal;
    }
    if (cpu_.waitMask)
        waitFrom_ = tick + 1;
    if (i.word >> 26 == 0x1D && (i.word & 0xFF & iccsr) == iccsr && i.word & 0x20)
        prediction_.control(cpu_.internal.iccsr);
    if (i.decoded.target != 31 && !i.multiplies && i.access == Access::none)
        late_.writes();
    step_.penalty.reset();
    step_.followed = false;
    if (i.flow == Flow::none)
        return wants(Arrival::sequential);
    if (i.flow == Flow::pal) {
        palAt_ = tick + 2;
        palNext_ = cpu_.palMode;
        redirection_ = Owner::exception;
        step_.penalty = prediction_.penalty();
        return wants(Arrival::redirected);
    }
    const bool taken = i.flow != Flow::conditional || alpha::branchTaken(i.word >> 26, tested);
    if (taken)
        later_ |= takenBranch;
    redirection_ = Owner::takenBubble;
    step_.penalty = prediction_.penalty();
    if (prediction_.on()) {
        const bool right = taken ? guess_ && *guess_ == cpu_.pc : !guess_;
        prediction_.issues(i, pc);
        prediction_.learns(i, pc, !right);
        if (right) {
            step_.penalty = taken ? prediction_.right(tick - came_) : 0;
            step_.followed = taken;
        } else {
            later_ |= mispredict;
            redirection_ = Owner::mispredict;
            return wants(Arrival::redirected);
        }
    }
    wants(taken ? Arrival::redirected : Arrival::sequential);
}

/// False: its result has overflowed.
bool Core::execute() {
    const Instruction &i = instruction_;
    if (step_.kind == Kind::conditional) {
        conditional_ = {i.word >> 21 & 31, cpu_.r[i.word >> 21 & 31], step_.address, i.bytes, true};
        cpu_.pc = alpha::place(cpu_.pc, 4);
        ++cpu_.executed;
        return true;
    }
    const bool ram = step_.address < cpu_.ram().size();
    if (i.access != Access::none &&
        (step_.kind == Kind::store || (step_.kind == Kind::load && ram))) {
        const unsigned reg = i.word >> 21 & 31;
        if (step_.kind == Kind::load)
            loading_ = {reg, step_.address, i.bytes};
        else
            stored_.push_back({step_.address, cpu_.r[reg], i.bytes, false});
        cpu_.pc = alpha::place(cpu_.pc, 4);
        ++cpu_.executed;
        return true;
    }
    if (!i.overflows) {
        cpu_.execute(i.word);
        return true;
    }
    // Its trap comes later.
    const uint64_t a = cpu_.r[i.word >> 21 & 31];
    const uint64_t b = i.word >> 12 & 1 ? i.word >> 13 & 0xFF : cpu_.r[i.word >> 16 & 31];
    uint64_t result = 0;
    const auto outcome = alpha::operate(i.word >> 26, i.word >> 5 & 0x7F, a, b, result);
    if (i.decoded.target != 31)
        cpu_.r[i.decoded.target] = result;
    cpu_.pc = alpha::place(cpu_.pc, 4);
    ++cpu_.executed;
    return outcome != alpha::Outcome::overflow;
}

/// Memory's, or of a store that has not reached it; `hits`: the D-cache has the block.
void Core::loads(bool hits) {
    const auto &l = loading_;
    if (l.address >= cpu_.ram().size())
        return;
    uint64_t value = cpu_.ram().get(l.address, l.bytes);
    if (before_.block != memory::noBlock && before_.block == l.address / blockBytes_) {
        if (hits)
            value = before_.get(l.address % blockBytes_, l.bytes);
        else
            before_.block = memory::noBlock; // from here on the D-cache has what memory has
    }
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

/// The oldest store that has none has its entry of the write buffer. What it overwrites there never
/// reaches memory: a loop that stores to one place may merge for ever.
void Core::buffered() {
    const auto next = std::find_if(stored_.begin(), stored_.end(),
                                   [](const Store &store) { return !store.buffered; });
    if (next == stored_.end())
        return;
    next->buffered = true;
    const auto overwritten = [&](const Store &store) {
        return store.address == next->address && store.bytes == next->bytes;
    };
    stored_.erase(std::remove_if(stored_.begin(), next, overwritten), next);
}

/// What the write buffer has of the block is in memory.
void Core::writes(uint64_t block) {
    const uint64_t from = block * blockBytes_;
    const auto goes = [=](const Store &store) {
        return store.buffered && store.address - from < blockBytes_;
    };
    const bool ram = from < cpu_.ram().size();
    if (ram)
        changes(block);
    for (const Store &store : stored_)
        if (goes(store) && ram) {
            cpu_.ram().put(store.address, store.bytes, store.value);
            if (before_.block == block)
                before_.put(store.address - from, store.bytes, store.value);
        }
    stored_.erase(std::remove_if(stored_.begin(), stored_.end(), goes), stored_.end());
}

/// STx_C: memory's side knows whether the flag was still up.
void Core::decided(uint64_t tick, bool stores) {
    auto &c = conditional_;
    c.waits = false;
    const bool accesses = c.address >> 32 && !memory_.drained(); // a device, and the flag was up
    if (accesses)
        toDevice(tick - 1, {c.address, c.value, c.bytes, 31, true});
    if (c.reg != 31) {
        cpu_.r[c.reg] = stores || accesses;
        arrives_ = tick + 2;
    }
    if (!stores || c.address >= cpu_.ram().size())
        return;
    const uint64_t block = c.address / blockBytes_;
    changes(block);
    cpu_.ram().put(c.address, c.bytes, c.value);
    if (before_.block == block) // the D-cache drops it
        before_.block = memory::noBlock;
}

void Core::toDevice(uint64_t issued, const IoAccess &access) {
    device_ = Io::draining;
    ioIssued_ = issued;
    access_ = access;
}

/// The access to a device that has issued begins when stores before it are out.
void Core::devices(uint64_t tick) {
    if (device_ == Io::draining && tick > ioIssued_ + 1 && memory_.drained()) {
        device_ = Io::running;
        io_->begin(tick, access_.address, access_.bytes, access_.write, access_.value);
        ioDone_ = never;
    }
    if (device_ == Io::running && io_->answers(tick) == tick)
        answered();
}

void Core::answered() {
    device_ = Io::none;
    ioDone_ = memory_.now() + 1;
    uint64_t value = 0;
    const bool good = access_.write
                          ? io_->write(memory_.now(), access_.address, access_.bytes, access_.value)
                          : io_->read(memory_.now(), access_.address, access_.bytes, value);
    if (!good) // one instruction still issues
        machineCheck_ = std::min(machineCheck_, memory_.now() + 2);
    if (!access_.write && access_.reg != 31) {
        cpu_.r[access_.reg] = access_.bytes == 4 ? alpha::sext32(value) : value;
        arrives_ = ioDone_;
    }
}

/// The core's own access is late: `answered` does it. Where no memory is, any value is right.
bool Core::read(uint64_t, unsigned, uint64_t &value) {
    value = 0;
    return true;
}
bool Core::write(uint64_t, unsigned, uint64_t) {
    return true;
}
/// RPCC reads the count of its issue, HW_MFPR that of stage E1 (core.md, PAL and traps).
uint64_t Core::cycles() {
    const uint64_t tick = step_.tick + (instruction_.word >> 26 != 0x18);
    const Count &c = tick < countFrom_ ? countBefore_ : count_;
    return c.runs ? tick - c.zero : c.value;
}
/// From the tick after stage E1 on.
void Core::setCycles(uint32_t count, bool counting) {
    countBefore_ = count_;
    countFrom_ = step_.tick + 2;
    count_ = {countFrom_ - count, count, counting};
}

} // namespace mcpi::exact
