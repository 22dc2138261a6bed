// SPDX-License-Identifier: BSD-2-Clause
#include "pipeline.h"

#include <algorithm>

#include "base/error.h"
#include "base/markers.h"
#include "models/memory/geometry.h"

namespace mcpi::pipeline {
namespace {

using memory::Arrival;
using memory::Kind;
using memory::Operands;
using memory::Step;
using memory::Wait;

constexpr uint64_t physicalMask = (uint64_t{1} << 34) - 1;
constexpr unsigned restart = 3;

/// HW_MTPR to the wait register, Ibox 1F (docs/reference/contracts.md).
bool sleeps(uint32_t word) {
    return word >> 26 == 0x1D && (word & 0x3F) == 0x3F;
}

const char *owner(Wait wait, Maker maker) {
    switch (wait) {
    case Wait::redirected:
        return "owner.taken_bubble";
    case Wait::trapped:
        return "owner.exception";
    case Wait::refilled:
        return "owner.refill_restart";
    case Wait::demand:
        return "owner.i_demand";
    case Wait::stream:
        return "owner.i_stream";
    case Wait::fill:
        return "owner.d_miss";
    case Wait::memoryPort:
        return "owner.memory_port";
    case Wait::bufferFull:
        return "owner.write_buffer_full";
    case Wait::barrier:
        return "owner.barrier";
    case Wait::io:
        return "owner.io";
    case Wait::operand:
        break;
    }
    switch (maker) {
    case Maker::compare:
        return "owner.compare";
    case Maker::shift:
        return "owner.shift";
    case Maker::load:
        return "owner.load_use";
    case Maker::product:
        return "owner.multiply";
    case Maker::plain:
        return "owner.agen";
    default:
        return "owner.io";
    }
}

} // namespace

Map::Map(std::vector<Moved> ranges) : ranges_(std::move(ranges)) {
    std::sort(ranges_.begin(), ranges_.end(),
              [](const Moved &a, const Moved &b) { return a.from < b.from; });
    for (std::size_t i = 1; i < ranges_.size(); ++i)
        if (ranges_[i - 1].from + ranges_[i - 1].bytes > ranges_[i].from)
            throw UserError("the map's ranges overlap.");
}

uint64_t Map::operator()(uint64_t address) const {
    if (last_ < ranges_.size() && address - ranges_[last_].from < ranges_[last_].bytes)
        return address - ranges_[last_].from + ranges_[last_].to;
    const auto after =
        std::upper_bound(ranges_.begin(), ranges_.end(), address,
                         [](uint64_t a, const Moved &range) { return a < range.from; });
    if (after == ranges_.begin())
        return address;
    const auto &range = *(after - 1);
    if (address - range.from >= range.bytes)
        return address;
    last_ = static_cast<std::size_t>(after - 1 - ranges_.begin());
    return address - range.from + range.to;
}

Pipeline::Pipeline(const Machine &machine, const Map &map, const std::vector<Marker> &markers,
                   uint64_t begin, uint64_t end)
    : machine_(machine), map_(map), begin_(begin), end_(end),
      ideal_(machine.parameter("memory.ideal")),
      penalty_(std::max<uint64_t>(restart, machine.parameter("core.taken_penalty"))),
      latencies_(machine) {
    if (machine.parameter("core.prediction"))
        throw UserError("core.prediction = ev4: the model engine knows paper mode only.");
    memory_ = std::make_unique<memory::TraceDriven>(memory::geometry(machine));
    memory_->dmaAsks();
    // What happens in a tick belongs to the window that the instruction issued in it leaves behind.
    memory_->onTick = [this](uint64_t) { settle(); };
    memory_->onEvent = [this](uint64_t, const char *counter) { pending_.push_back(counter); };
    memory_->onWait = [this](Wait wait) {
        add("ticks");
        if (wait == Wait::redirected && palcode_)
            wait = Wait::trapped;
        // What a device access takes is told, not computed.
        add(wait == Wait::operand && device_ ? "owner.io" : owner(wait, blames_));
    };
    for (const auto &m : markers)
        markers_[m.address & physicalMask].push_back(m);
}

void Pipeline::settle() {
    for (const char *counter : pending_)
        add(counter);
    pending_.clear();
}

void Pipeline::add(const char *counter, uint64_t n) {
    if (!counts_)
        return;
    counters[all][counter] += n;
    if (open_ && !paused_)
        counters[path][counter] += n;
}

/// Counters change between two windows, as in mcpi-sim.
void Pipeline::control(uint64_t recorded) {
    if (open_)
        return;
    if (!started_ && recorded >= begin_) {
        started_ = counts_ = true;
        memory_->forget();
    }
    if (!ended_ && recorded >= end_) {
        ended_ = true;
        counts_ = false;
    }
}

/// An instruction issues: its markers act.
void Pipeline::passed(uint64_t pc, uint64_t recorded) {
    const auto found = markers_.find(pc);
    if (found != markers_.end())
        for (const auto &m : found->second) {
            if (m.action == actionEvent)
                events.push_back({last_, m.window});
            else if (m.window != 1)
                continue;
            else if (m.action == actionOpen)
                open_ = true;
            else if (m.action == actionClose)
                open_ = paused_ = false;
            else if (m.action == actionPause)
                paused_ = open_;
            else if (m.action == actionResume)
                paused_ = false;
            else if (m.action == actionInvocation && counts_)
                for (auto &bank : counters)
                    ++bank["invocations"];
        }
    control(recorded);
}

/// The tick in which a register can be used.
uint64_t Pipeline::need(const Source &source, Operands &operands) {
    if (source.reg == 31)
        return 0;
    const Register &r = registers_[source.reg];
    if (r.maker == Maker::load && r.load == loads_)
        operands.fill = true;
    const uint64_t from =
        r.at + (r.maker == Maker::old ? 0 : latencies_.distance(r.maker, source.use));
    if (from > operands.from) {
        operands.from = from;
        blames_ = r.maker;
    }
    return from;
}

uint64_t Pipeline::issue(const Step &step, const Operands &operands) {
    if (!ideal_)
        return memory_->paced(step, operands);
    // No memory owner; the front end's own ticks, then the operands'.
    uint64_t tick = last_ + 1;
    if (step.arrival == Arrival::redirected || step.arrival == Arrival::trapped) {
        const uint64_t ticks = step.arrival == Arrival::redirected ? penalty_ : restart - 1;
        add("ticks", ticks);
        const bool branch = step.arrival == Arrival::redirected && !palcode_;
        add(owner(branch ? Wait::redirected : Wait::trapped, blames_), ticks);
        tick += ticks;
    }
    if (operands.from > tick) {
        add("ticks", operands.from - tick);
        add(device_ ? "owner.io" : owner(Wait::operand, blames_), operands.from - tick);
        tick = operands.from;
    }
    if (step.what == Step::What::issue)
        add("icache.accesses");
    return tick;
}

/// `next`: the step behind it in the recording.
void Pipeline::one(const Record &r, const Record *next) {
    Step step;
    step.what = Step::What::issue;
    step.pc = map_(r.pc);
    step.address = map_(r.address);
    step.kind = static_cast<Kind>(r.kind);
    step.stored = r.stored;
    step.arrival = arrival_;
    const Decoded d = decode(r.instruction);
    Operands operands;
    blames_ = Maker::old;
    operands.from = notBefore_;
    need(d.a, operands);
    need(d.b, operands);
    if (d.target != 31) {
        const Register &old = registers_[d.target];
        if (old.maker == Maker::load && old.load == loads_)
            operands.fill = true; // it may not be written before the load has been
        if (old.maker == Maker::product && old.at > operands.from) {
            operands.from = old.at;
            blames_ = Maker::product;
        }
    }
    if (d.maker == Maker::product && multiplier_ > operands.from) {
        operands.from = multiplier_;
        blames_ = Maker::product;
    }
    const uint64_t before = last_;
    last_ = issue(step, operands);
    if (ideal_ && last_ > before + 1)
        settle();
    passed(step.pc, r.tick);
    if (ideal_)
        settle();
    add("ticks");
    add("instructions");
    add("owner.issue");
    if (ideal_ && step.kind == Kind::load)
        pending_.push_back("dcache.accesses");
    const bool toIo =
        step.kind == Kind::io || (step.kind == Kind::conditional && step.address >> 32);
    if (ideal_ && (step.kind == Kind::store || (step.stored && !toIo)))
        pending_.push_back("write_buffer.accesses");

    if (d.maker == Maker::load && step.kind == Kind::load)
        ++loads_;
    if (d.target != 31) {
        registers_[d.target] = {last_, d.maker, loads_};
        if (d.maker == Maker::product) {
            const uint64_t ticks = latencies_.product(d);
            registers_[d.target].at = last_ + ticks;
            multiplier_ = last_ + ticks - 2;
        } else if (d.maker == Maker::load && step.kind != Kind::load) {
            registers_[d.target].maker = Maker::old; // of a device: told below
        }
    }
    // A device takes its time, whoever waits for it.
    device_ = toIo && next;
    notBefore_ = device_ ? last_ + (next->tick - r.tick) : 0;
}

/// The processor sleeps as long as it did.
void Pipeline::sleep(const Record &wait, const Record &next) {
    const uint64_t ticks = next.tick - wait.tick - 1;
    add("ticks", ticks);
    add("owner.idle", ticks);
    last_ += ticks;
    if (ideal_)
        return;
    memory_->finish(memory_->now() + ticks - 1);
}

/// What the network adapter asks for behind a step, as long behind it as it did.
void Pipeline::requests(const Record &step, const Record *from, const Record *to) {
    for (; from != to; ++from)
        if (from->what == dma && !ideal_)
            memory_->dma({std::max(last_ + from->tick - step.tick, memory_->now()), from->address,
                          from->kind != 0});
}

/// It takes the place of an instruction that is there.
void Pipeline::trap(const Record &r) {
    Step step;
    step.what = Step::What::trap;
    step.pc = map_(r.pc);
    step.kind = static_cast<Kind>(r.kind);
    step.arrival = arrival_;
    last_ = issue(step, {});
    add("ticks");
    add("owner.exception");
}

void Pipeline::run(const std::vector<Record> &records) {
    const Record *end = records.data() + records.size();
    const auto step = [end](const Record *r) {
        while (r != end && r->what == dma)
            ++r;
        return r;
    };
    for (const Record *r = step(records.data()), *next; r != end; r = next) {
        next = step(r + 1);
        const Record *behind = next == end ? nullptr : next;
        arrival_ = static_cast<Arrival>(r->arrival);
        if (r->what == static_cast<uint8_t>(Step::What::trap)) {
            trap(*r);
            requests(*r, r + 1, next);
            palcode_ = false;
            continue;
        }
        if (r->what != static_cast<uint8_t>(Step::What::issue))
            throw UserError("a recording of a cold run; the model engine replays warm ones.");
        one(*r, behind);
        requests(*r, r + 1, next);
        const unsigned opcode = r->instruction >> 26;
        palcode_ = opcode == 0x00 || opcode == 0x1E; // CALL_PAL, HW_REI
        if (behind && behind->arrival == static_cast<uint8_t>(Arrival::redirected) && !palcode_)
            add("taken_branches");
        if (behind && sleeps(r->instruction))
            sleep(*r, *behind);
    }
    settle();
    for (auto &bank : counters) // as the hardware's
        for (const char *name : {"invocations", "instructions", "ticks", "owner.issue"})
            bank[name];
}

} // namespace mcpi::pipeline
