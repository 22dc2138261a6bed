// SPDX-License-Identifier: BSD-2-Clause
#include "lockstep.h"

#include <algorithm>

#include "alpha/disassemble.h"
#include "alpha/tlb_shape.h"
#include "base/address.h"
#include "base/text.h"
#include "machines/instructions.h"

namespace mcpi {
namespace {

constexpr uint64_t fetchedPage = 4096; // bytes, the smallest page there is

} // namespace

Lockstep::Lockstep(const Machine &machine, unsigned node, std::string reproduce)
    : machine_(machine), node_(node), reproduce_(std::move(reproduce)),
      windowBase_(machine.base("ram", "lance_window")),
      windowEnd_(windowBase_ + machine.size("ram", "lance_window")),
      blockBytes_(machine.parameter("cache.block")), ram_(machine.parameter("memory.size")),
      dmaBlocks_(ram_.size() / blockBytes_), cpu_(ram_, outside_, alpha::tlbShape(machine)),
      blocks_(machine), ideal_(machine.parameter("memory.ideal")) {}

void Lockstep::place(const Segment &segment) {
    ram_.put(segment.address, segment.bytes);
}

void Lockstep::start() {
    cpu_.reset(machine_.base("ram", "pal"));
}

/// The physical address of the instruction at `pc` (bit 0: PAL mode), as the ITB or, if it has not
/// missed, the I-cache has it.
uint64_t Lockstep::fetchedFrom(uint64_t tick, uint64_t pc, bool missed) {
    const uint64_t physical = pc & physicalMask & ~uint64_t{3};
    if (!cpu_.translates())
        return physical;
    const FetchedBlocks::Space space = {!(pc & 1) && cpu_.userStatus(), cpu_.translation().space()};
    if (pc & 1 || pc >> 63) {
        if (missed)
            blocks_.fill(physical);
        if (space.user)
            mismatch(tick, "fetch: user mode has no right to KSEG");
        return physical;
    }
    const auto found = blocks_.find(physical, space);
    if (!missed && found)
        return *found;
    if (!missed && !ideal_)
        mismatch(tick, "fetch: a hit, where the I-cache has no block for it");
    // With ideal memory a block may have come ahead of a branch, when the ITB still had its page,
    // and no fetch uses an entry.
    const alpha::Translated t = cpu_.translation().fetch(physical, space.user);
    const std::array<uint64_t, 3> page = {physical / fetchedPage, space.user, space.number};
    if (!t.there() && ideal_ && !missed && pages_.count(page))
        return pages_[page] + physical % fetchedPage;
    if (!t.there())
        mismatch(tick, "fetch: it missed the I-cache, and the model's ITB does not allow it");
    if (ideal_)
        pages_[page] = t.physical - t.physical % fetchedPage;
    else
        cpu_.translation().usesInstruction(t);
    blocks_.fill(physical, space, t.anySpace, t.physical);
    return t.physical;
}

/// ITB_MISS or ITB_ACV: the model agrees that the ITB gives no address.
void Lockstep::fetchFails(uint64_t tick, uint16_t vector) {
    const bool misses = vector == alpha::vectorFetchMiss;
    const auto what = cpu_.palMode ? alpha::Translated::What::there
                                   : cpu_.translation().fetch(cpu_.pc, cpu_.userMode()).what;
    if (what != (misses ? alpha::Translated::What::miss : alpha::Translated::What::fault))
        mismatch(tick, text("trap %04x: the model's ITB has another answer", vector));
    cpu_.enter(vector, cpu_.programCounter());
}

bool Lockstep::beyondMemory(uint64_t pc) const {
    uint64_t physical = pc & physicalMask;
    if (cpu_.translates() && !(pc & 1) && !(pc >> 63)) {
        const alpha::Translated t = cpu_.translation().fetch(physical, cpu_.userStatus());
        if (!t.there())
            return false;
        physical = t.physical;
    }
    return physical >= ram_.size();
}

/// HW_MTPR of FLUSH_IC or FLUSH_IC_ASM.
void Lockstep::flushed(uint32_t instruction) {
    const unsigned index = instruction & 31;
    if (instruction >> 26 == alpha::opcode::HW_MTPR && instruction >> 6 & 1 &&
        (index == 0x15 || index == 0x17))
        blocks_.flush(index == 0x15);
}

void Lockstep::dmaWrites(uint64_t physical) {
    if (physical >= ram_.size())
        return;
    dmaBlocks_[physical / blockBytes_] = true;
    unknown_[physical / blockBytes_].assign(blockBytes_, true);
    ++dmaWrites_;
}

bool Lockstep::knows(uint64_t physical) const {
    const auto block = unknown_.find(physical / blockBytes_);
    return block == unknown_.end() || !block->second[physical % blockBytes_];
}

/// The model has the bytes that this instruction has loaded, or stored in its own RAM.
void Lockstep::knowsNow(const Retirement &r, const alpha::Effect &m) {
    if (isStoreConditional(r.instruction) && !r.value)
        return;
    if (!m.memory || m.physical >= ram_.size() || !dmaBlocks_[m.physical / blockBytes_])
        return;
    const unsigned bytes = alpha::accessBytes(m.instruction);
    const uint64_t first = m.physical & ~uint64_t{bytes - 1} & (blockBytes_ - 1);
    std::vector<bool> &block = unknown_[m.physical / blockBytes_];
    std::fill_n(block.begin() + first, bytes, false);
}

/// Tell the model the RTL's value of a load where DMA writes; the model has loaded an older one.
void Lockstep::tellLoad(const Retirement &r, const alpha::Effect &m) {
    if (!m.memory || m.store || !ofDma(m.physical))
        return;
    const unsigned bytes = alpha::accessBytes(r.instruction);
    const uint64_t from = m.physical & ~uint64_t{bytes - 1};
    ram_.put(from, bytes, r.value);
    if (m.writes)
        cpu_.r[m.reg] = ram_.get(from, bytes);
}

void Lockstep::tellLostLock(const Retirement &r) {
    if (isStoreConditional(r.instruction) && !r.value && ofDma(cpu_.lockedAddress()))
        cpu_.loseLock();
}

void Lockstep::remember(uint64_t tick, const Retirement &r, bool trap) {
    past_[pastCount_++ % past_.size()] = {tick, r, trap};
}

void Lockstep::retired(uint64_t tick, const Retirement &r) {
    remember(tick, r, false);
    if (trapExpected_)
        mismatch(tick, "an arithmetic trap was due before this instruction");
    if (trapWaits_ && (trapInPal_ || !cpu_.palMode))
        mismatch(tick, "an arithmetic trap was due, after a machine check");
    outside_.value = r.value;
    tellLostLock(r);
    const uint64_t summary = cpu_.internal.exceptionSummary;
    const auto &m = cpu_.stepFrom(fetchedFrom(tick, cpu_.programCounter(), r.iMiss));
    tellLoad(r, m);
    knowsNow(r, m);
    flushed(r.instruction);
    cpu_.waitMask = 0; // when it goes on is the RTL's to say
    ++instructions;

    if (m.pc != r.pc)
        mismatch(tick, text("pc: model %" PRIx64, m.pc));
    if (m.instruction != r.instruction)
        mismatch(tick, text("instruction: the model's memory has %08x", m.instruction));
    trapExpected_ = m.trapped && m.vector == alpha::vectorArithmetic;
    if (trapExpected_) {
        trapInPal_ = m.pc & 1;
        summaryBefore_ = summary;
    }
    if (m.trapped && !trapExpected_)
        mismatch(tick, text("the model traps to %04x instead of retiring this", m.vector));
    const uint64_t value = m.writes ? cpu_.r[m.reg] : 0;
    if (m.writes != r.writes || (m.writes && (m.reg != r.reg || value != r.value)))
        mismatch(tick, m.writes ? text("result: model $%u = %016" PRIx64, m.reg, value)
                                : std::string("result: the model writes no register"));
    if (m.memory != r.memory || (m.memory && (m.store != r.store || m.address != r.address)))
        mismatch(tick,
                 m.memory ? text("access: model %s %" PRIx64, m.store ? "store" : "load", m.address)
                          : std::string("access: the model touches no memory"));
    if (m.store && m.storeData != r.storeData)
        mismatch(tick, text("store data: model %016" PRIx64, m.storeData));
}

void Lockstep::trapped(uint64_t tick, uint16_t vector, uint64_t exceptionAddress, bool missed) {
    Retirement past{};
    past.pc = exceptionAddress;
    past.instruction = vector;
    remember(tick, past, true);
    uint64_t wanted = cpu_.programCounter();
    if (missed)
        fetchedFrom(tick, exceptionAddress, true); // its block has come
    if (vector != alpha::vectorMachineCheck && beyondMemory(exceptionAddress))
        mismatch(tick, text("trap %04x where no memory is: the failed fetch comes first", vector));
    if (cpu_.translates() &&
        (vector == alpha::vectorFetchMiss || vector == alpha::vectorFetchFault)) {
        fetchFails(tick, vector);
    } else if (vector == alpha::vectorMachineCheck) {
        wanted = exceptionAddress; // need not be precise
        if (trapExpected_) {       // the trap comes later, and is checked then
            trapWaits_ = true;
            cpu_.internal.exceptionSummary = summaryBefore_;
        }
        cpu_.enter(vector, exceptionAddress);
    } else if (vector == alpha::vectorInterrupt) {
        if (cpu_.palMode)
            mismatch(tick, "interrupt in PAL mode");
        if (!cpu_.internal.interruptEnable)
            mismatch(tick, "interrupt, but HIER is zero");
        cpu_.enter(vector, exceptionAddress);
    } else if (trapWaits_ && vector == alpha::vectorArithmetic) {
        if (!trapInPal_ && cpu_.palMode)
            mismatch(tick, "the program's arithmetic trap, in PAL mode");
        trapWaits_ = false;
        wanted = cpu_.programCounter();
        cpu_.overflow(wanted);
    } else if (trapExpected_) {
        wanted = cpu_.internal.exceptionAddress;
    } else {
        const auto &m = cpu_.stepFrom(fetchedFrom(tick, cpu_.programCounter(), false));
        if (!m.trapped || m.vector != vector)
            mismatch(tick, m.trapped ? text("trap: model to %04x", m.vector)
                                     : std::string("trap: the model executes this instruction"));
        wanted = m.exceptionAddress;
    }
    trapExpected_ = false;
    if (wanted != exceptionAddress)
        mismatch(tick, text("exception address: model %" PRIx64, wanted));
}

std::string Lockstep::recent() const {
    std::string report = text("node %u, last retirements of the RTL, newest last:\n", node_);
    const uint64_t listed = std::min<uint64_t>(pastCount_, past_.size());
    for (uint64_t i = pastCount_ - listed; i < pastCount_; ++i) {
        const auto &p = past_[i % past_.size()];
        if (p.trap) {
            report += text("%10" PRIu64 "  trap %04x, exception address %" PRIx64 "\n", p.tick,
                           p.r.instruction, p.r.pc);
            continue;
        }
        const auto &r = p.r;
        report += text("%10" PRIu64 "  %016" PRIx64 "%s %08x %-30s", p.tick, r.pc & ~uint64_t{1},
                       r.pc & 1 ? "p" : " ", r.instruction,
                       alpha::disassemble(r.pc, r.instruction).c_str());
        if (r.memory)
            report += text(" [%" PRIx64 "]", r.address);
        if (r.store)
            report += text(" <- %" PRIx64, r.storeData);
        if (r.writes)
            report += text(" $%u = %016" PRIx64, r.reg, r.value);
        report += "\n";
    }
    return report;
}

void Lockstep::mismatch(uint64_t tick, const std::string &what) const {
    const std::string why =
        text("lock-step: node %u, tick %" PRIu64 ": %s", node_, tick, what.c_str());
    std::string report = why + "\n" + recent() + "registers of the model now:\n";
    for (unsigned i = 0; i < 32; ++i)
        report += text("$%-2u %016" PRIx64 "%s", i, cpu_.r[i], i % 4 == 3 ? "\n" : "  ");
    report += text("pc %016" PRIx64 "  exc_addr %016" PRIx64 "\n", cpu_.programCounter(),
                   cpu_.internal.exceptionAddress);
    throw Mismatch(report + "again: " + reproduce_ + "\n" + why);
}

} // namespace mcpi
