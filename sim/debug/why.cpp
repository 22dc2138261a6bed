// SPDX-License-Identifier: BSD-2-Clause
#include "why.h"

#include <cinttypes>

#include "alpha/disassemble.h"
#include "alpha/opcode.h"
#include "base/text.h"
#include "exact_machines.h"

namespace mcpi::debug {
namespace {

using exact::TickRun;
using memory::Kind;
using memory::noBlock;

const exact::Core &coreOf(const Timeline &timeline, unsigned node) {
    return dynamic_cast<const ExactMachines &>(timeline.now()).core(node);
}

std::string instruction(const exact::Core &core, uint64_t pc) {
    const uint64_t physical = pc & physicalMask & ~uint64_t{3};
    return text("%" PRIx64 ": ", pc & 1 ? physical : program(physical)) +
           alpha::disassemble(program(physical), wordAt(core.cpu(), physical));
}

/// Waits for a node's next instruction: the tick in which it issues, and what its access misses.
struct Next : exact::Probe {
    const exact::Core *core = nullptr;
    unsigned node = 0;
    uint64_t issues = 0, pc = 0;
    Kind kind = Kind::other;
    uint64_t address = 0;
    bool found = false;

    bool after(unsigned number, const TickRun &run) override {
        if (number != node || run.owner != Owner::issue)
            return false;
        issues = run.tick;
        pc = run.pc;
        kind = core->issued().step.kind;
        address = core->issued().step.address;
        return found = true;
    }
};

/// The last tick in which a cache lost a block, and what then was under way.
struct Loss : exact::Probe {
    const exact::Core *core = nullptr;
    unsigned node = 0;
    bool code = false;
    uint64_t block = 0, place = 0;

    bool held = false, ever = false;
    uint64_t tick = 0, by = noBlock; ///< the block that came
    uint64_t pc = 0;                 ///< of the instruction that made it come
    bool dma = false, lost = false;
    uint64_t load = 0; ///< the load that issued last

    bool holds() const {
        const memory::Hierarchy &m = core->memory();
        return code ? m.icache().holds(block) : m.dcache().holds(block);
    }
    void begins() {
        lost = false;
        held = holds();
        ever |= held;
    }
    bool after(unsigned number, const TickRun &run) override {
        if (number != node)
            return false;
        const Kind kind = core->issued().step.kind;
        if (run.owner == Owner::issue && (kind == Kind::load || kind == Kind::store))
            load = run.pc;
        const bool now = holds();
        ever |= now;
        if (held && !now) {
            const memory::Hierarchy &m = core->memory();
            lost = true;
            tick = run.tick;
            by = (code ? m.icache() : m.dcache()).at(place);
            dma = m.tickEvents().has(memory::TickEvents::dmaEnds);
            pc = code ? core->cpu().programCounter() : load;
        }
        held = now;
        return false;
    }
};

std::string evicted(Timeline &timeline, Loss &loss, uint64_t until) {
    std::string who;
    timeline.past(
        until, loss,
        [&] {
            loss.core = &coreOf(timeline, loss.node);
            loss.begins();
        },
        [&] {
            if (!loss.lost)
                return false;
            const std::string at = text(
                "lost in tick %" PRIu64 ", %" PRIu64 " ticks ago: ", loss.tick, until - loss.tick);
            if (loss.dma && loss.by != noBlock && loss.by != loss.block)
                loss.dma = false;
            if (loss.dma)
                who = at + "the network controller wrote there (DMA)";
            else if (loss.by == noBlock && timeline.now().together())
                who = at + "another core took it, or this core's b-cache lost it";
            else if (loss.by == noBlock)
                who = at + "the cache was emptied by " + instruction(*loss.core, loss.pc);
            else
                who = at +
                      text("block %" PRIx64 " came into its place, for ",
                           program(loss.core->memory().addressOf(loss.by))) +
                      instruction(*loss.core, loss.pc);
            return true;
        });
    return who.empty() ? "it has not been there before: a cold miss" : who;
}

} // namespace

std::string why(Timeline &timeline, unsigned node) {
    const uint64_t began = timeline.tick();
    constexpr uint64_t patience = 1'000'000; // ticks: a machine may sleep
    const exact::Core *core = &coreOf(timeline, node);
    const uint64_t pc = core->cpu().pc & physicalMask;
    const uint64_t blockBytes = core->memory().addressOf(1);
    std::string said = instruction(*core, core->cpu().programCounter()) + "\n";
    std::vector<Loss> losses;
    Loss loss;
    loss.node = node;
    loss.code = true;
    loss.block = pc / blockBytes;
    loss.place = core->memory().icache().set(loss.block);
    if (!core->memory().icache().holds(loss.block))
        losses.push_back(loss);
    Next next;
    next.node = node;
    next.core = core;
    timeline.now().standAt(began + patience, &next);
    uint64_t issued = began;
    if (next.found && (next.pc & physicalMask & ~uint64_t{3}) == pc && next.kind == Kind::load) {
        issued = next.issues + 1;
        timeline.goTo(issued); // the access is in stage E1
        core = &coreOf(timeline, node);
        loss.code = false;
        loss.block = next.address / blockBytes;
        loss.place = core->memory().dcache().set(loss.block);
        if (!core->memory().dcache().holds(loss.block))
            losses.push_back(loss);
    }
    for (Loss &one : losses) {
        said += text("  %s: block %" PRIx64 " misses; ", one.code ? "I-cache" : "D-cache",
                     program(one.block * blockBytes));
        said += evicted(timeline, one, one.code ? began : issued) + "\n";
    }
    if (losses.empty())
        said += "  it misses neither the I-cache nor, if it loads, the D-cache\n";
    timeline.goTo(began);
    return said;
}

} // namespace mcpi::debug
