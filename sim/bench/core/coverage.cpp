// SPDX-License-Identifier: BSD-2-Clause
#include "coverage.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "machines/instructions.h"

namespace mcpi {
namespace {

using namespace alpha::opcode;

// Names as in verify/random/coverage.py.
enum Producer { add, compare, shift, cmov, mull, mulq, hit, miss, ioLoad, conditional, link, flag };
constexpr unsigned internal = 12;
constexpr const char *producerNames[] = {"add",  "compare", "shift",  "cmov",    "mull",
                                         "mulq", "hit",     "miss",   "io_load", "conditional",
                                         "link", "flag",    "hw_mfpr"};
enum Consumer { operate, multiply, old, data, address, branch, target, mtpr };
constexpr const char *consumerNames[] = {"operate", "multiply", "old",    "data",
                                         "address", "branch",   "target", "hw_mtpr"};
constexpr const char *distanceNames[] = {"1", "2", "3", "4", "5+"};
constexpr const char *vectorNames[] = {"mchk", "arith", "interrupt", "unalign", "opcdec", "fen"};
constexpr const char *fillNames[] = {"fetch", "prefetch", "load"};
constexpr const char *relationNames[] = {"same_block", "same_set", "elsewhere"};
constexpr const char *offsetNames[] = {"-8..-4", "-3", "-2", "-1", "0", "1", "2", "3", "4..8"};
enum Kind { taken, predicted, mispredicted, palCode, trap };
constexpr const char *kindNames[] = {"taken", "predicted", "mispredicted", "pal", "trap"};
enum Fetched { inCache, streamed, demanded };
constexpr const char *fetchNames[] = {"hits", "stream", "demanded"};
constexpr const char *wayNames[] = {"follows", "led"};
constexpr const char *dueNames[] = {"nothing", "arith", "interrupt", "both"};
constexpr const char *busNames[] = {"free", "fetch", "prefetch", "load", "write", "dma"};

constexpr unsigned zero = 31;

bool is(const Coverage::Tick &tick, Owner owner) {
    return tick.owner == static_cast<unsigned>(owner);
}

unsigned opcode(uint32_t word) {
    return word >> 26;
}
bool isConditionalMove(uint32_t word) {
    const alpha::Encoding *const row = alpha::find(word);
    return row && row->group == alpha::Group::move;
}

/// The kind of an instruction that writes a register.
unsigned producerOf(const Retirement &r) {
    const uint32_t word = r.instruction;
    if (r.memory && r.store)
        return conditional;
    if (r.memory)
        return r.io ? ioLoad : r.dMiss ? miss : hit;
    const alpha::Encoding *const row = alpha::find(word);
    using alpha::Group;
    switch (row ? row->group : Group::add) {
    case Group::compare:
        return compare;
    case Group::move:
        return cmov;
    case Group::shift:
        return shift;
    case Group::multiply:
        return word >> 5 & 0x30 ? mulq : mull;
    case Group::cycles:
    case Group::flag:
        return flag;
    case Group::readInternal:
        return internal;
    case Group::branch:
    case Group::jump:
        return link;
    default:
        return add; // LDA, LDAH
    }
}

unsigned offsetOf(int64_t distance) {
    return distance <= -4 ? 0 : distance >= 4 ? 8 : static_cast<unsigned>(distance + 4);
}

} // namespace

Coverage::Coverage(const Machine &machine)
    : blockBytes_(machine.parameter("cache.block")),
      sets_(machine.parameter("dcache.size") / blockBytes_),
      ev4_(machine.parameter("core.prediction") != 0), ticks_(ring) {}

void Coverage::ticked(uint64_t now, const Tick &tick) {
    ticks_[now % ring] = tick;
    now_ = now;
    if (tick.trapped)
        traps_.push_back(now);
}

void Coverage::filled(uint64_t now, Bus kind, uint64_t address) {
    const OnBus fill = {now, address / blockBytes_, kind};
    while (!invalidations_.empty() && invalidations_.front().tick + reach < now)
        invalidations_.pop_front();
    for (const OnBus &i : invalidations_)
        meet(fill, i.tick, i.block);
    fills_.push_back(fill);
}

void Coverage::invalidated(uint64_t now, uint64_t address) {
    const OnBus here = {now, address / blockBytes_, dma};
    while (!fills_.empty() && fills_.front().tick + reach < now)
        fills_.pop_front();
    for (const OnBus &fill : fills_)
        meet(fill, now, here.block);
    invalidations_.push_back(here);
}

void Coverage::meet(const OnBus &fill, uint64_t tick, uint64_t block) {
    const bool overlies = fill.kind == load && block % sets_ == fill.block % sets_;
    const unsigned relation = block == fill.block ? 0 : overlies ? 1 : 2;
    const int64_t offset = static_cast<int64_t>(tick) - static_cast<int64_t>(fill.tick);
    ++met_[fill.kind - fetch][relation][offsetOf(offset)];
}

void Coverage::use(unsigned consumer, unsigned reg, uint64_t issued) {
    const Written &by = written_[reg];
    if (reg == zero || by.producer == producers)
        return;
    const uint64_t distance = std::min<uint64_t>(issued - by.tick, distances);
    ++operands_[by.producer][consumer][distance - 1];
}

void Coverage::operands(const Retirement &r, uint64_t issued) {
    const uint32_t word = r.instruction;
    const unsigned op = opcode(word), ra = word >> 21 & 31, rb = word >> 16 & 31;
    const bool literal = word >> 12 & 1;
    if (op >= INTA && op <= INTM) {
        const unsigned by = op == INTM ? multiply : operate;
        use(by, ra, issued);
        if (!literal)
            use(by, rb, issued);
        if (isConditionalMove(word))
            use(old, word & 31, issued);
    } else if (op == LDA || op == LDAH) {
        use(operate, rb, issued);
    } else if (r.memory) {
        use(address, rb, issued);
        if (r.store)
            use(data, ra, issued);
    } else if (op == JUMP) {
        use(target, rb, issued);
    } else if (op >= BLBC) {
        use(branch, ra, issued);
    } else if (op == HW_MTPR) {
        use(mtpr, rb, issued);
    }
    if (r.writes)
        written_[r.reg & 31] = {producerOf(r), issued};
}

void Coverage::redirected(const Retirement &r, uint64_t issued) {
    const uint64_t begun = trapBetween_ ? trapTick_ : lastIssued_;
    if (!any_ || begun + 1 > issued || now_ - begun >= ring)
        return;
    bool mispredict = false, demand = false, stream = false;
    for (uint64_t t = begun + 1; t <= issued; ++t) {
        const Tick &tick = at(t);
        mispredict |= is(tick, Owner::mispredict);
        demand |= is(tick, Owner::iDemand) || (tick.iMiss && !tick.streamHit);
        stream |= is(tick, Owner::iStream) || tick.streamHit;
    }
    const unsigned op = opcode(lastInstruction_);
    std::optional<Kind> kind;
    if (trapBetween_)
        kind = trap;
    else if (op == CALL_PAL || op == HW_REI)
        kind = palCode;
    else if (mispredict)
        kind = mispredicted;
    else if (r.pc != lastPc_ + 4)
        kind = ev4_ ? predicted : taken;
    if (!kind)
        return;
    const Fetched fetched = demand ? demanded : stream ? streamed : inCache;
    ++redirects_[*kind][fetched][at(begun + 1).bus];
}

void Coverage::retired(const Retirement &r, uint64_t issued) {
    redirected(r, issued);
    operands(r, issued);
    any_ = true;
    trapBetween_ = false;
    lastPc_ = r.pc;
    lastIssued_ = issued;
    lastInstruction_ = r.instruction;
}

void Coverage::trapped(unsigned vector) {
    if (traps_.empty())
        return;
    trapTick_ = traps_.front();
    traps_.pop_front();
    trapBetween_ = true;
    if (trapTick_ && now_ - trapTick_ < ring - 1)
        ++trapped_[vector].at(at(trapTick_ - 1).owner);
}

void Coverage::fetchFailed(uint64_t pc, bool overflow, bool interrupt) {
    const unsigned led = pc != lastPc_ + 4;
    ++failed_[led][(overflow ? 1 : 0) + (interrupt ? 2 : 0)];
}

std::map<std::string, uint64_t> Coverage::bins() const {
    std::map<std::string, uint64_t> all;
    const auto put = [&](uint64_t count, std::initializer_list<const char *> names) {
        std::string name;
        for (const char *part : names)
            name += (name.empty() ? "" : " ") + std::string(part);
        if (count)
            all[name] = count;
    };
    for (unsigned p = 0; p < producers; ++p)
        for (unsigned c = 0; c < consumers; ++c)
            for (unsigned d = 0; d < distances; ++d)
                put(operands_[p][c][d],
                    {"operand", producerNames[p], consumerNames[c], distanceNames[d]});
    for (unsigned v = 0; v < vectors; ++v)
        for (unsigned o = 0; o < owners; ++o)
            put(trapped_[v][o], {"trap", vectorNames[v], ownerNames[o]});
    for (unsigned f = 0; f < 3; ++f)
        for (unsigned r = 0; r < relations; ++r)
            for (unsigned o = 0; o < offsets; ++o)
                put(met_[f][r][o],
                    {"invalidation", fillNames[f], relationNames[r], offsetNames[o]});
    for (unsigned k = 0; k < kinds; ++k)
        for (unsigned f = 0; f < fetches; ++f)
            for (unsigned b = 0; b < busStates; ++b)
                put(redirects_[k][f][b], {"redirect", kindNames[k], fetchNames[f], busNames[b]});
    for (unsigned w = 0; w < ways; ++w)
        for (unsigned d = 0; d < dues; ++d)
            put(failed_[w][d], {"failed", wayNames[w], dueNames[d]});
    return all;
}

} // namespace mcpi
