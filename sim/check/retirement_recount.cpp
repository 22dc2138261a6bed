// SPDX-License-Identifier: BSD-2-Clause
#include "retirement_recount.h"

#include <algorithm>

#include "base/address.h"
#include "base/error.h"
#include "machines/instructions.h"

namespace mcpi {
namespace {

constexpr uint64_t codeBytes = 256 * 1024; // docs/reference/counters.md
const unsigned nDcacheAccesses = counterNumber("dcache.accesses"),
               nDcacheMisses = counterNumber("dcache.misses"),
               nDcacheStoreMisses = counterNumber("dcache.store_misses"),
               nFetchBlocks = counterNumber("fetch.blocks"),
               nFetchOutside = counterNumber("fetch.outside"),
               nFetchWords = counterNumber("fetch.words"),
               nIcacheAccesses = counterNumber("icache.accesses"),
               nIcacheMisses = counterNumber("icache.misses"),
               nInstructions = counterNumber("instructions"),
               nInvocations = counterNumber("invocations"),
               nPausedInstructions = counterNumber("paused.instructions"),
               nPausedTicks = counterNumber("paused.ticks"),
               nTakenBranches = counterNumber("taken_branches"), nTicks = counterNumber("ticks"),
               nWriteBufferAccesses = counterNumber("write_buffer.accesses");

} // namespace

Recount::Recount(const Machine &machine, const NodeInfo &info, const std::vector<Marker> &markers)
    : info_(info), back_(machine.parameter("dcache.policy")),
      codeWindow_(machine.base("ram", "image") / codeBytes),
      blockBytes_(machine.parameter("cache.block")), ticks_(history_), executed_(history_),
      missed_(history_) {
    further_.resize(info.windows.size() - 1);
    for (const auto &m : markers)
        if (m.action != actionEvent && m.window == windowPath)
            markers_.push_back(m);
        else if (m.action != actionEvent)
            further_.at(m.window - 2).markers.push_back(m);
    clearWindows();
    for (const auto &name : info.owners) {
        waitsForFetch_.push_back(name == "i_demand" || name == "i_stream" ||
                                 name == "refill_restart");
        ownerNumbers_.push_back(counterNumber("owner." + name));
    }
    const auto &o = info.owners;
    const auto number = [&o](const char *name) {
        return static_cast<uint64_t>(std::find(o.begin(), o.end(), name) - o.begin());
    };
    issue_ = number("issue");
    refills_ = number("refill_restart");
    history_.push_back(state_);
}

void Recount::change(uint64_t tick, bool cleared) {
    state_.tick = tick;
    state_.cleared = cleared;
    history_.push_back(state_);
}

void Recount::control(uint64_t bits) {
    if (bits & countersClear) {
        open_ = paused_ = state_.window = false;
        clearWindows();
    }
    if (bits & (countersFreeze | countersArm))
        state_.counts = bits & countersArm;
    change(nextTick_, bits & countersClear);
}

void Recount::moveWindow(const CoreTick &t) {
    for (const auto &m : markers_) {
        if ((m.address ^ t.pc) & physicalMask & ~uint64_t{3})
            continue;
        if (m.action == actionOpen)
            open_ = true;
        else if (m.action == actionClose) {
            coldClosed_ |= cold_ && open_;
            open_ = paused_ = false;
        } else if (m.action == actionPause)
            paused_ = open_;
        else if (m.action == actionResume)
            paused_ = false;
    }
    if ((open_ && !paused_) != state_.window) {
        state_.window = open_ && !paused_;
        change(t.tick, false);
    }
}

void Recount::clearWindows() {
    for (auto &w : further_)
        w.open = w.paused = false;
    table_.ticks.assign(std::size_t{1} << info_.windows.size(),
                        std::vector<uint64_t>(info_.owners.size()));
    for (unsigned n = 1; n < info_.windows.size(); ++n)
        table_.invocations[info_.windows[n]] = 0;
}

/// After `moveWindow`: the tick belongs to the windows as its instruction leaves them.
void Recount::countWindows(const CoreTick &t, bool issues) {
    unsigned set = state_.window;
    for (unsigned n = 0; n < further_.size(); ++n) {
        Further &w = further_[n];
        for (const auto &m : w.markers) {
            if (!issues || (m.address ^ t.pc) & physicalMask & ~uint64_t{3})
                continue;
            if (m.action == actionInvocation)
                table_.invocations[info_.windows[n + 1]] += state_.counts;
            else if (m.action == actionResume)
                w.paused = false;
            else if (m.action == actionPause)
                w.paused = w.open;
            else {
                w.open = m.action == actionOpen;
                w.paused &= w.open;
            }
        }
        set |= unsigned{w.open && !w.paused} << (n + 1);
    }
    if (state_.counts)
        table_.ticks[set].at(t.owner) += t.count;
}

void Recount::tick(const CoreTick &t) {
    const bool issues = t.owner == issue_;
    if (issues)
        moveWindow(t);
    countWindows(t, issues);
    if (ticks_.advance(t.tick))
        for (auto *touched : {words_, blocks_})
            touched[0].clear(), touched[1].clear();
    ticks_.add(t.tick, nTicks, t.count);
    ticks_.add(t.tick, ownerNumbers_.at(t.owner), t.count);
    const bool counts = state_.counts;
    if (counts && open_ && paused_)
        for (auto bank : {Account::all, Account::path}) {
            ticks_.addTo(bank, nPausedTicks, t.count);
            ticks_.addTo(bank, nPausedInstructions, issues);
        }
    if (waitsForFetch_.at(t.owner) && !waiting_)
        gap_.misses.push_back(t.tick);
    waiting_ = waitsForFetch_.at(t.owner);
    if (waiting_ && came_ && t.owner != refills_)
        gap_.again.push_back(t.tick);
    came_ = t.owner == refills_;
    if (issues) {
        ticks_.add(t.tick, nInstructions);
        ticks_.add(t.tick, nIcacheAccesses);
        for (const auto &m : markers_)
            if (m.action == actionInvocation && counts &&
                !((m.address ^ t.pc) & physicalMask & ~uint64_t{3}))
                for (auto bank : {Account::all, Account::path})
                    ticks_.addTo(bank, nInvocations, 1);
        const uint64_t pc = t.pc & physicalMask;
        if (pc / codeBytes != codeWindow_)
            ticks_.add(t.tick, nFetchOutside);
        else
            for (auto bank : {Account::all, Account::path})
                if (counts && (bank == Account::all || state_.window)) {
                    ticks_.addTo(bank, nFetchWords, words_[bank].insert(pc % codeBytes / 4));
                    ticks_.addTo(bank, nFetchBlocks,
                                 blocks_[bank].insert(pc % codeBytes / blockBytes_));
                }
        gaps_.push_back(std::move(gap_));
        gap_ = {};
    }
    nextTick_ = t.tick + t.count;
    if (t.coldStart) {
        cold_ = state_.counts = state_.window = open_ = true;
        paused_ = false;
        clearWindows();
        gap_ = {}; // what waits is fetched anew: a miss of it is one of the empty cache
        change(nextTick_, true);
    }
    if (coldClosed_ && !coldByHost_ && state_.counts) { // the hardware has copied them
        state_.counts = false;
        change(nextTick_, false);
    }
}

/// A miss belongs to the tick in which the wait for it began; `otherwise`: nobody waited visibly.
void Recount::fetchMiss(uint64_t otherwise) {
    auto &ticks = gaps_.front().misses;
    missed_.add(ticks.empty() ? otherwise : ticks.front(), nIcacheMisses);
    if (!ticks.empty())
        ticks.erase(ticks.begin());
}

void Recount::trapped(bool fetchMissed) {
    trapMisses_ += fetchMissed;
}

void Recount::retired(uint64_t issued, const Retirement &r, bool redirected) {
    if (gaps_.empty())
        throw RunError("recount: an instruction retired that has not issued.");
    for (; trapMisses_; --trapMisses_)
        fetchMiss(issued);
    if (r.iMiss)
        fetchMiss(issued);
    for (const uint64_t tick : gaps_.front().again)
        missed_.add(tick, nIcacheMisses);
    gaps_.pop_front();
    const uint64_t tick = issued + 1; // stage E1
    const unsigned opcode = r.instruction >> 26;
    if (redirected && opcode != alpha::opcode::CALL_PAL && opcode != alpha::opcode::HW_REI)
        executed_.add(tick, nTakenBranches);
    if (isStoreConditional(r.instruction)) {
        conditionals_.push_back(r.io       ? false
                                : r.writes ? std::optional(r.value != 0)
                                           : std::nullopt);
        return;
    }
    if (!r.memory || r.io)
        return;
    if (r.store && !back_)
        return executed_.add(tick, nWriteBufferAccesses);
    executed_.add(tick, nDcacheAccesses);
    if (r.dMiss)
        executed_.add(tick, nDcacheMisses);
    if (r.dMiss && r.store)
        executed_.add(tick, nDcacheStoreMisses);
}

/// Its store is one of the tick in which it was decided; that it stored, its own result says.
void Recount::conditional(uint64_t tick, std::optional<bool> stores) {
    if (conditionals_.empty())
        throw RunError("recount: a STx_C is decided that has not retired.");
    const auto stored = conditionals_.front() ? conditionals_.front() : stores;
    conditionals_.pop_front();
    unsure_ |= !stored;
    if (stored.value_or(false))
        executed_.add(tick, nWriteBufferAccesses);
}

void Recount::sums(uint64_t end, Account &into) {
    for (Account *account : {&ticks_, &executed_, &missed_}) {
        account->advance(end);
        into.addAll(*account);
    }
}

} // namespace mcpi
