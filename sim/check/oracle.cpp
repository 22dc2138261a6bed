// SPDX-License-Identifier: BSD-2-Clause
#include "oracle.h"

#include <algorithm>

#include "alpha/cpu.h"
#include "alpha/opcode.h"
#include "base/address.h"
#include "base/error.h"
#include "base/text.h"
#include "memory/geometry.h"

namespace mcpi {
namespace {

using memory::Arrival;
using memory::Kind;
using memory::Step;

uint64_t physical(uint64_t pc) {
    return pc & physicalMask & ~uint64_t{3};
}

Kind kindOf(const Retirement &r, bool translates) {
    if (isStoreConditional(r.instruction))
        return Kind::conditional;
    if (r.memory && r.io)
        return Kind::io;
    if (r.memory)
        return r.store ? Kind::store : Kind::load;
    const Kind kind = alpha::kindOf(r.instruction);
    return kind == Kind::flushSpaces && !translates ? Kind::other : kind;
}

} // namespace

Oracle::Oracle(const Machine &machine, const NodeInfo &info, unsigned node,
               const std::vector<Marker> &markers)
    : info_(info), recount_(machine, info, markers), geometry_(memory::geometry(machine)),
      model_(geometry_), predicted_(recount_.history()), node_(node),
      predicts_(!machine.parameter("memory.ideal") && !machine.parameter("core.prediction")) {
    if (const auto shape = alpha::tlbShape(machine); shape && predicts_) {
        spaces_.emplace(*shape);
        translated_.emplace(machine, recount_.history());
        model_.onLost = [this](uint64_t tick) {
            if (spaces_->fetched() == alpha::Translated::What::miss)
                translated_->fetchFails(tick);
        };
    }
    model_.onConditional = [this](uint64_t tick, bool stores) {
        recount_.conditional(tick, stores);
    };
    for (unsigned n = 0; n < eventNames.size(); ++n)
        numbers_[n] = counterNumber(eventNames[n]);
    model_.onEvent = [this](uint64_t tick, Event event) {
        fetchMissed_ |= event == Event::icacheMisses;
        predicted_.add(tick, numbers_[static_cast<unsigned>(event)]);
    };
    model_.onTick = [this](uint64_t tick) {
        if (predicted_.advance(tick))
            model_.forget();
    };
}

void Oracle::tick(const CoreTick &t) {
    recount_.tick(t);
    if (t.owner == static_cast<unsigned>(Owner::issue)) {
        issued_.push_back(t);
        issued_.back().awaited = awaits_;
    }
    awaits_ = t.owner == static_cast<unsigned>(Owner::translation);
    if (t.trapped)
        traps_.push_back(t);
    if (t.coldStart)
        colds_.push_back(t);
}

/// Return true if the last retirement redirected the fetch, now that its successor is known.
bool Oracle::taken(uint64_t nextPc) const {
    namespace op = alpha::opcode;
    const unsigned opcode = before_->instruction >> 26;
    if (opcode == op::CALL_PAL || opcode == op::JUMP || opcode == op::HW_REI || opcode == op::BR ||
        opcode == op::BSR)
        return true;
    if (physical(nextPc) != physical(before_->pc + 4))
        return true;
    return opcode >= op::BLBC && !(before_->instruction & 0x1FFFFF) &&
           alpha::branchTaken(opcode, registers_[before_->instruction >> 21 & 31]);
}

/// The last retirement can be judged.
void Oracle::settle(uint64_t nextPc) {
    if (!before_)
        return;
    redirected_ = taken(nextPc);
    recount_.retired(beforeIssued_, *before_, redirected_);
    if (!predicts_ && isStoreConditional(before_->instruction))
        recount_.conditional(beforeIssued_ + 4, std::nullopt);
    if (translated_ && before_->instruction >> 26 == alpha::opcode::HW_REI && !(nextPc & 1))
        if (!translated_->returns(beforeIssued_, beforeAwaited_))
            differs(beforeIssued_, before_->pc,
                    "this HW_REI ends a refill sooner or later than "
                    "tlb.refill_floor says.");
    if (before_->writes)
        registers_[before_->reg] = before_->value;
    before_.reset();
}

/// `step` gets what follows from `pc` and from the step before.
void Oracle::feed(Step &step, uint64_t pc) {
    step.pc = physical(pc);
    if (spaces_)
        spaces_->fetch(pc, model_.hierarchy(), step);
    if (!last_)
        step.arrival = Arrival::reset;
    else if (*last_ == Step::What::trap)
        step.arrival = Arrival::trapped;
    else if (*last_ == Step::What::cold)
        step.arrival = Arrival::cold;
    else
        step.arrival = redirected_ ? Arrival::redirected : Arrival::sequential;
    last_ = step.what;
    fetchMissed_ = false;
    if (predicts_)
        model_.step(step);
    if (spaces_ && fetchMissed_)
        spaces_->fetchMissed();
    if (replay)
        replayed(step);
}

void Oracle::replayed(const Step &step) {
    const CountingHistory &history = recount_.history();
    while (changes_ < history.size() && history[changes_].tick <= step.tick) {
        change_ = history[changes_++];
        if (change_.cleared)
            replay->clear();
    }
    replay->step(step, change_.counts && change_.window);
}

void Oracle::dma(uint64_t tick, uint64_t address, bool write) {
    model_.dma({tick, address, write});
}

/// Cold starts before this tick, each before the instruction that issues next.
void Oracle::colds(uint64_t before, uint64_t pc) {
    for (; !colds_.empty() && colds_.front().tick < before; colds_.pop_front()) {
        Step step;
        step.what = Step::What::cold;
        step.tick = colds_.front().tick;
        feed(step, pc);
    }
}

void Oracle::differs(uint64_t tick, uint64_t pc, const std::string &what) const {
    throw RunError(text("oracle: node %u, tick %" PRIu64 ", pc %" PRIx64 ": ", node_, tick,
                        pc & ~uint64_t{1}) +
                   what);
}

/// Where the access of a retired instruction is; it uses its entry.
uint64_t Oracle::accessed(const Retirement &r) {
    if (!spaces_ || !r.memory)
        return r.address & physicalMask;
    const alpha::Translated t = spaces_->access(r.instruction, r.pc & 1, r.address);
    if (!t.there())
        differs(beforeIssued_, r.pc, "no entry of the model's DTB lets its access through.");
    spaces_->accessed(t);
    return t.physical;
}

/// Carry out the effect of a retired instruction on TLBs and mode.
void Oracle::executed(const Retirement &r) {
    if (r.instruction >> 26 == alpha::opcode::HW_MTPR)
        spaces_->written(r.instruction, registers_[r.instruction >> 16 & 31]);
    if (r.instruction == 0x30) // CALL_PAL SWPCTX
        translated_->switches(beforeIssued_);
}

void Oracle::retired(const Retirement &r) {
    settle(r.pc);
    if (issued_.empty() || physical(issued_.front().pc) != physical(r.pc))
        throw RunError("oracle: node " + std::to_string(node_) +
                       ": instructions do not retire in the order in which they issued.");
    Step step;
    step.tick = beforeIssued_ = issued_.front().tick;
    beforeAwaited_ = issued_.front().awaited;
    issued_.pop_front();
    step.kind = kindOf(r, spaces_.has_value());
    step.address = accessed(r);
    step.locks = r.memory && isLoadLocked(r.instruction);
    step.stored = step.kind == Kind::conditional && r.value;
    colds(step.tick, r.pc);
    feed(step, r.pc);
    if (step.lost)
        differs(step.tick, r.pc, "no entry of the model's ITB lets its fetch through.");
    if (spaces_)
        executed(r);
    before_ = r;
}

void Oracle::trapped(uint16_t vector, uint64_t exceptionAddress, bool fetchMissed) {
    settle(exceptionAddress);
    if (traps_.empty())
        throw RunError("oracle: node " + std::to_string(node_) + ": a trap that nobody took.");
    recount_.trapped(fetchMissed);
    Step step;
    step.what = Step::What::trap;
    step.pc = physical(exceptionAddress);
    if (spaces_)
        spaces_->fetch(exceptionAddress, model_.hierarchy(), step);
    const uint32_t instruction = instructionAt && !step.lost ? instructionAt(step.pc) : 0;
    // A barrier that waits in stage D drains the write buffer until the trap sends it away.
    if (alpha::isBarrier(instruction))
        step.kind = Kind::barrier;
    step.tick = traps_.front().tick;
    traps_.pop_front();
    colds(step.tick, exceptionAddress);
    feed(step, exceptionAddress);
    if (spaces_)
        judge(vector, exceptionAddress, instruction, step);
}

/// Compare the TLBs' answer with a trap to `vector`.
void Oracle::judge(uint16_t vector, uint64_t pc, uint32_t instruction, const Step &step) {
    using What = alpha::Translated::What;
    const bool pal = pc & 1;
    const bool ofFetch = vector == alpha::vectorFetchMiss || vector == alpha::vectorFetchFault;
    const bool ofData = vector == alpha::vectorDataMiss || vector == alpha::vectorDataMissPal ||
                        vector == alpha::vectorDataFault;
    const bool first = vector == alpha::vectorMachineCheck || vector == alpha::vectorArithmetic ||
                       vector == alpha::vectorInterrupt;
    What what = spaces_->fetched();
    unsigned wanted = what == What::miss ? alpha::vectorFetchMiss : alpha::vectorFetchFault;
    if (ofFetch != step.lost && !first)
        differs(step.tick, pc,
                step.lost
                    ? "it has another trap, but no entry of the model's ITB lets its fetch through."
                    : "its fetch traps; an entry of the model's ITB lets it through.");
    if (ofData) {
        const uint64_t base = registers_[instruction >> 16 & 31],
                       address = base + static_cast<uint64_t>(alpha::displacement(instruction));
        what = spaces_->access(instruction, pal, address).what;
        wanted = what == What::fault ? alpha::vectorDataFault
                 : pal               ? alpha::vectorDataMissPal
                                     : alpha::vectorDataMiss;
    }
    if (!ofFetch && !ofData)
        return;
    if (what == What::there || vector != wanted)
        differs(step.tick, pc, "the model's TLBs give it another trap, or none.");
    if (what == What::fault)
        translated_->faults(step.tick);
    else
        translated_->misses(ofData ? TranslationAccount::data : TranslationAccount::instruction,
                            step.tick, pal);
}

void Oracle::compare(uint64_t end, const Counters &hardware) {
    settle(before_ ? before_->pc + 4 : 0);
    if (predicts_)
        model_.finish(end);
    Account recounted(recount_.history());
    recount_.sums(end, recounted);
    std::string differences;
    auto check = [&](const char *who, const Account &should,
                     const std::vector<std::string> &names) {
        for (auto bank : {Account::all, Account::path})
            for (const auto &name : names) {
                const uint64_t wanted = should.sum(bank, name);
                const uint64_t is = (bank == Account::all ? hardware.all : hardware.path).at(name);
                ++compared;
                if (bank == Account::path) {
                    numbers[name]["hardware"] = is;
                    numbers[name][who] = wanted;
                }
                if (is != wanted)
                    differences += "\n  " + name +
                                   (bank == Account::all ? " (all): " : " (path): ") +
                                   std::to_string(is) + ", " + who + " " + std::to_string(wanted);
            }
    };
    const auto counted = [&hardware](const auto &table) {
        std::vector<std::string> names;
        for (const char *name : table)
            if (hardware.all.count(name))
                names.push_back(name);
        return names;
    };
    auto names = counted(recountNames);
    const auto leaveOut = [&names](const char *name) {
        names.erase(std::find(names.begin(), names.end(), name));
    };
    if (!predicts_) // fetches are not events of a tick under ideal memory
        leaveOut("icache.misses");
    if (recount_.unsure())
        leaveOut("write_buffer.accesses");
    check("recounted", recounted, names);
    if (predicts_)
        check("predicted", predicted_, counted(predictNames));
    if (translated_)
        check("predicted", translated_->sums(end), counted(translationNames));
    const WindowTable &table = recount_.windows();
    auto compareCell = [&](const std::string &name, uint64_t is, uint64_t wanted) {
        ++compared;
        if (is != wanted)
            differences +=
                "\n  " + name + ": " + std::to_string(is) + ", recounted " + std::to_string(wanted);
    };
    for (unsigned set = 0; set < table.ticks.size(); ++set)
        for (unsigned owner = 0; owner < info_.owners.size(); ++owner)
            compareCell("owner." + info_.owners[owner] + " (windows '" +
                            WindowTable::nameOf(info_, set) + "')",
                        hardware.windows.ticks[set][owner], table.ticks[set][owner]);
    for (const auto &[window, wanted] : table.invocations)
        compareCell("invocations (" + window + ")", hardware.windows.invocations.at(window),
                    wanted);
    if (!differences.empty())
        throw RunError("oracle: node " + std::to_string(node_) +
                       ": the counters are not what they should be:" + differences);
}

} // namespace mcpi
