// SPDX-License-Identifier: BSD-2-Clause
#include "core_ticks.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "base/error.h"

namespace mcpi::cores {
namespace {

constexpr unsigned kindWrite = 3;                     // rtl/bus/MemoryBus.scala
constexpr unsigned stateInvalid = 0, stateShared = 1; // rtl/memory/coherent/CoherentConfig.scala
constexpr unsigned orderUpgrade = 2, orderWriteBack = 3;
bool takes(unsigned order) {
    return order == 1 || order == 2 || order == 5;
}
constexpr const char *kinds[] = {"bcache.fetches", "bcache.prefetches", "bcache.loads",
                                 "bcache.writes"};
constexpr const char *causeNames[] = {"none", "bcache", "memory", "remote", "upgrade", "open"};

/// The order of a row's events.
constexpr const char *events[] = {
    "icache.accesses",    "icache.misses",         "icache.stream_hits",  "dcache.accesses",
    "dcache.misses",      "write_buffer.accesses", "write_buffer.merges", "write_buffer.writes",
    "bcache.accesses",    "bcache.misses",         "bcache.victims",      "bcache.fetches",
    "bcache.prefetches",  "bcache.loads",          "bcache.writes",       "bus.core_ticks",
    "taken_branches",     "mispredicts",           "pal_ticks",           "bcache.remote",
    "bcache.upgrades",    "bcache.writebacks",     "bcache.snoops",       "bcache.snoop_hits",
    "bcache.invalidated", "locks.linked",          "locks.conditional",   "locks.failed",
    "bus.wait_ticks"};

unsigned number(const char *event) {
    const auto *const found = std::find_if(std::begin(events), std::end(events),
                                           [=](const char *e) { return !std::strcmp(e, event); });
    return static_cast<unsigned>(found - std::begin(events));
}

/// Pulses of the core, by the counter that they move.
constexpr const char *pulses[][2] = {{"events.iAccess", "icache.accesses"},
                                     {"events.iMiss", "icache.misses"},
                                     {"events.iStreamHit", "icache.stream_hits"},
                                     {"events.dAccess", "dcache.accesses"},
                                     {"events.dMiss", "dcache.misses"},
                                     {"events.writeAccess", "write_buffer.accesses"},
                                     {"events.writeMerge", "write_buffer.merges"},
                                     {"events.takenBranch", "taken_branches"},
                                     {"events.mispredict", "mispredicts"},
                                     {"events.palMode", "pal_ticks"},
                                     {"events.coherent.linked", "locks.linked"},
                                     {"events.coherent.conditional", "locks.conditional"}};

} // namespace

CoreTicks::CoreTicks(const CoherentRtl &node, const NodeInfo &info, const Machine &machine,
                     unsigned core, const std::string &folder)
    : core_(core), ownerNames_(info.owners), owner_(node.field("events.owner")),
      pc_(node.field("events.issuePc")), takes_(node.field("takes")), kind_(node.field("kind")),
      conditional_(node.field("conditional")), address_(node.field("address")),
      ends_(node.field("ends")), decided_(node.field("events.coherent.conditional")),
      failed_(node.field("events.coherent.failed")), waits_(node.field("events.coherent.busWait")),
      decides_(node.field("cache.decides")), state_(node.field("cache.state")),
      drops_(node.field("cache.drops")), asks_(node.field("cache.waits")),
      snoops_(node.has("cache.held")), tellsVictims_(node.has("cache.victim")),
      path_(folder + "/ticks." + std::to_string(core) + ".csv") {
    for (offset_ = 0; uint64_t{1} << offset_ < machine.parameter("bcache.block");)
        ++offset_;
    for (const auto &[signal, event] : pulses)
        signals_.push_back({node.field(signal), number(event)});
    if (snoops_)
        held_ = node.field("cache.held");
    if (tellsVictims_)
        victim_ = node.field("cache.victim");
    out_.open(path_);
    out_ << "tick,count,owner,pc,cause,events\n";
}

bool CoreTicks::is(const CoherentRtl &node, CoherentRtl::Bits bits) const {
    return node.told(core_, bits) != 0;
}

void CoreTicks::add(const char *event) {
    row_.events |= uint64_t{1} << number(event);
}

void CoreTicks::access() {
    add("bcache.accesses");
    add(kinds[command_->kind]);
    if (command_->kind == kindWrite)
        add("write_buffer.writes");
}

void CoreTicks::miss() {
    access();
    add("bcache.misses");
    command_->asks = true;
    command_->upgrades = false;
}

/// The order tick: of this core's request, or of another's.
void CoreTicks::ordered(const CoherentRtl &node) {
    const Order &o = node.order();
    const bool own = o.place == core_;
    if (o.kind == orderWriteBack) {
        if (own)
            add("bcache.writebacks");
        return;
    }
    if (own) {
        command_->asks = false;
        if (o.kind == orderUpgrade) {
            command_->cause = upgrade;
            access();
            add("bcache.upgrades");
            return;
        }
        command_->cause = o.remote ? remote : memory;
        if (o.remote)
            add("bcache.remote");
        if (tellsVictims_ && is(node, victim_))
            add("bcache.victims");
        return;
    }
    add("bcache.snoops");
    const bool held = snoops_ && is(node, held_);
    if (held)
        add("bcache.snoop_hits");
    if (held && takes(o.kind))
        add("bcache.invalidated");
    const bool lost = takes(o.kind) && command_ && command_->asks && command_->upgrades &&
                      command_->block == o.block;
    if (lost && !command_->conditional)
        miss();
}

void CoreTicks::decides(const CoherentRtl &node) {
    const auto state = node.told(core_, state_);
    if (command_->kind == kindWrite && state == stateShared) {
        command_->asks = command_->upgrades = true;
    } else if (state == stateInvalid) {
        miss();
    } else {
        access();
        command_->cause = bcache;
    }
}

void CoreTicks::tick(const CoherentRtl &node) {
    const uint64_t now = node.ticks() - 1;
    row_ = {now,  node.told(core_, pc_), static_cast<unsigned>(node.told(core_, owner_)), 0, none,
            false};
    if (is(node, waits_))
        row_.owner = static_cast<unsigned>(ownerNames_.size());
    for (const Signal &s : signals_)
        if (is(node, s.bits))
            row_.events |= uint64_t{1} << s.event;
    if (is(node, decided_) && is(node, failed_))
        add("locks.failed");
    if (node.order().valid)
        ordered(node);
    if (is(node, drops_)) {
        command_->cause = command_->asks ? upgrade : none;
        command_->asks = false;
    } else if (is(node, decides_)) {
        decides(node);
    }
    row_.cause = command_ ? command_->cause : none;
    row_.waits = is(node, asks_);
    const bool ends = is(node, ends_);
    if (ends)
        command_.reset();
    if (is(node, takes_))
        command_ = Command{static_cast<unsigned>(node.told(core_, kind_)), is(node, conditional_),
                           node.told(core_, address_) >> offset_};
    if (command_)
        add("bus.core_ticks");
    if (before_)
        write(*before_);
    before_ = row_;
}

void CoreTicks::close() {
    if (before_)
        write(*before_);
    before_.reset();
    if (!out_.flush())
        throw UserError(path_ + ": cannot be written.");
}

void CoreTicks::write(const Row &row) {
    const bool issues = row.owner == 0;
    char pc[20] = "";
    if (issues)
        std::snprintf(pc, sizeof pc, "%" PRIx64, row.pc);
    out_ << row.tick << ",1,"
         << (row.owner < ownerNames_.size() ? ownerNames_[row.owner] : "bus_wait") << ',' << pc
         << ',' << causeNames[row.cause] << ',';
    const uint64_t told = row.events | uint64_t{row.waits} << number("bus.wait_ticks");
    const char *between = "";
    for (unsigned n = 0; n < std::size(events); ++n)
        if (told >> n & 1) {
            out_ << between << events[n];
            between = " ";
        }
    out_ << '\n';
}

} // namespace mcpi::cores
