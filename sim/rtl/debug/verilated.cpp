// SPDX-License-Identifier: BSD-2-Clause
#include "verilated.h"

#include <algorithm>

#include "base/error.h"

namespace mcpi::debug {
namespace {

using exact::TickRun;

const Options &checked(const Options &o) {
    if (!o.lockstep)
        throw UserError("--no-lockstep: the debugger shows the registers of the model in "
                        "lock-step; leave it out.");
    if (o.cold || o.byRegisters || o.mode != Mode::run)
        throw UserError("the debugger runs two nodes from reset to exit: leave --cold, "
                        "--measure-by-registers and other modes out.");
    return o;
}

} // namespace

Verilated::Verilated(const Options &options, unsigned threads)
    : Simulation(checked(options)), threads_(threads) {
    start();
}

/// With a probe both nodes go tick by tick, so that the probe sees them at each; ticks in which
/// neither does anything pass at once.
void Verilated::standAt(uint64_t tick, exact::Probe *probe) {
    stopped_ = false;
    try {
        while (standing_ < tick && !ended() && failure_.empty() && !stopped_) {
            if (standing_ == now_)
                openWindow();
            const uint64_t from = standing_, whole = std::min(tick, now_);
            const uint64_t to = probe ? std::min(whole, stepEnd(from)) : whole;
            between_ = false;
            for (unsigned n = 0; n < 2; ++n)
                nodes_[n]->advance(to, medium_.port(n));
            standing_ = to;
            between_ = standing_ == now_;
            for (unsigned n = 0; n < threads_ && probe; ++n)
                stopped_ |= tells(n, from, *probe);
            if (between_)
                closeWindow();
        }
    } catch (const RunError &error) {
        failure_ = error.what();
    }
}

/// The end of a step from this tick on.
uint64_t Verilated::stepEnd(uint64_t tick) const {
    uint64_t quiet = now_ - tick;
    for (unsigned n = 0; n < 2; ++n)
        quiet = std::min(quiet, nodes_[n]->quietTicks(medium_.port(n)));
    return tick + std::max<uint64_t>(1, quiet);
}

/// Tell the probe of a node's step; true: it stops.
bool Verilated::tells(unsigned n, uint64_t from, exact::Probe &probe) {
    RtlStation &node = *nodes_[n];
    Seen &seen = seen_[n];
    const bool retires = node.retired() != seen.instructions;
    seen.dma = node.lockstep()->dmaWrites() != seen.dmaWrites;
    seen.instructions = node.retired();
    seen.dmaWrites = node.lockstep()->dmaWrites();
    TickRun run;
    run.tick = from;
    run.count = standing_ - from;
    run.owner = retires ? Owner::issue : Owner::idle;
    run.pc = node.lockstep()->effect().pc;
    return probe.after(n, run);
}

/// Where DMA has written since the program, the node's RAM has the byte and the model has not.
std::string Verilated::bytesAt(unsigned n, uint64_t physical, uint64_t count) {
    const alpha::Ram &ram = cpu(n).ram();
    const Lockstep &model = *nodes_[n]->lockstep();
    std::string found;
    for (uint64_t at = physical; at < ram.size() && found.size() < count; ++at)
        found += static_cast<char>(model.knows(at) ? ram.data()[at] : nodes_[n]->byteAt(at));
    return found;
}

std::optional<Access> Verilated::accessed(unsigned n, uint64_t) const {
    const alpha::Effect &did = nodes_[n]->lockstep()->effect();
    if (!did.memory)
        return {};
    const unsigned bytes = alpha::accessBytes(did.instruction);
    return Access{did.physical & ~uint64_t{bytes - 1}, bytes, did.store};
}

/// Return the exit with the tick of now: nobody goes back there.
std::optional<Machines::Exit> Verilated::exit(unsigned n) const {
    const int code = exitCode(n);
    if (code < 0)
        return {};
    return Exit{standing_, static_cast<unsigned>(code)};
}

std::optional<std::string> Verilated::answer(Timeline &, const std::string &word,
                                             const std::string &, unsigned) {
    if (word != "why" && word != "caches" && word != "rings")
        return {};
    return "monitor " + word +
           ": the RTL does not show its caches and its network controller's registers; --engine "
           "exact has the same ticks, and shows them.\n";
}

} // namespace mcpi::debug
