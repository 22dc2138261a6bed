// SPDX-License-Identifier: BSD-2-Clause
#include "history.h"

#include <algorithm>

#include "base/address.h"
#include "base/error.h"
#include "base/retirement.h"
#include "base/text.h"
#include "machines/instructions.h"

namespace mcpi::cores {
namespace {

constexpr unsigned kindLoad = 2, kindWrite = 3, places = 6;
constexpr const char *orders[places] = {"read",       "read_exclusive", "upgrade",
                                        "write_back", "dma_read",       "dma_write"};
constexpr const char *kinds[] = {"demand", "prefetch", "load", "write"};
constexpr char states[] = "ISEM";

/// Bytes that a load or a store moves.
unsigned bytes(uint32_t instruction) {
    const alpha::Encoding *const row = alpha::find(instruction);
    const unsigned bytes = row ? row->bytes : 0;
    return bytes ? bytes : instruction >> 12 & 1 ? 8 : 4; // HW_LD and HW_ST say it
}

std::string words(unsigned bytes, uint64_t value) {
    return std::to_string(bytes) + " " + hex(bytes == 4 ? value & 0xffffffff : value);
}

} // namespace

History::History(CoherentRtl &node, const NodeInfo &info, const Machine &machine,
                 const std::string &folder)
    : node_(node), blockBytes_(machine.parameter("cache.block")), path_(folder + "/history.csv"),
      out_(path_), cores_(info.cores), commands_(info.cores) {
    const std::string retired = "retire.retired.";
    f_ = {node.field("events.owner"),
          node.field("events.dAccess"),
          node.field("events.dMiss"),
          node.field("events.coherent.linked"),
          node.field("events.coherent.conditional"),
          node.field("events.coherent.failed"),
          node.field("events.coherent.buffered"),
          node.field("takes"),
          node.field("kind"),
          node.field("conditional"),
          node.field("address"),
          node.field("cache.decides"),
          node.field("cache.state"),
          node.field("cache.drops"),
          node.field("cache.acts"),
          node.field(retired + "valid"),
          node.field(retired + "payload.instruction"),
          node.field(retired + "payload.memory"),
          node.field(retired + "payload.store"),
          node.field(retired + "payload.io"),
          node.field(retired + "payload.address"),
          node.field(retired + "payload.value"),
          node.field(retired + "payload.storeData")};
    out_ << "tick,place,what,at,more\n";
}

History::Row *History::add(unsigned core, const char *what, uint64_t at, const std::string &more,
                           bool known) {
    rows_.push_back({now_, core, what, at, more, known});
    return &rows_.back();
}

void History::tick() {
    contents();
    now_ = node_.tracedTick();
    order();
    for (unsigned n = 0; n < cores_.size(); ++n)
        core(n);
    for (unsigned n = 0; n < cores_.size(); ++n)
        if (is(n, f_.retires))
            retired(n);
    write(now_);
}

/// Read the words written in the tick before, which are in RAM now.
void History::contents() {
    for (auto row = rows_.rbegin(); row != rows_.rend() && row->tick == now_; ++row) {
        if (!row->content)
            continue;
        for (uint64_t i = 0; i < blockBytes_; ++i) {
            const uint8_t byte = node_.byteAt(row->at * blockBytes_ + i);
            row->more += "0123456789abcdef"[byte >> 4];
            row->more += "0123456789abcdef"[byte & 15];
        }
        row->content = false;
        row->known = true;
    }
}

void History::order() {
    const Order &o = node_.order();
    if (!o.valid)
        return;
    const bool remote = o.remote && (o.kind < 2 || o.kind == 4);
    add(o.place, orders[o.kind], o.block, std::to_string(now_ + o.ends) + (remote ? " remote" : ""),
        true);
}

/// In the order of the steps; a load that hits reads before the writes of its tick.
void History::core(unsigned n) {
    Core &c = cores_[n];
    Command &command = commands_[n];
    const bool acts = is(n, f_.acts);
    if (is(n, f_.drops))
        add(n, "drop", command.block, "", true);
    if (is(n, f_.decides))
        add(n, "decide", command.block, std::string(1, states[node_.value(n, f_.state)]), true);
    if (is(n, f_.linked))
        c.linked.push_back(add(n, "linked", 0, "", false));
    if (is(n, f_.dAccess)) {
        const bool miss = is(n, f_.dMiss);
        c.loads.push_back(miss ? nullptr : add(n, "hit", 0, "", false));
    }
    if (acts && command.kind == kindLoad)
        c.misses.push_back(add(n, "data", 0, "", false));
    if (acts && command.kind == kindWrite)
        add(n, "write", command.block, "", false)->content = true;
    if (is(n, f_.conditional))
        c.verdicts.push_back(add(n, is(n, f_.failed) ? "failure" : "success", 0, "", false));
    if (is(n, f_.takes)) {
        command.block = node_.value(n, f_.address) / blockBytes_;
        command.kind = static_cast<unsigned>(node_.value(n, f_.kind));
        add(n, "take", command.block,
            std::string(kinds[command.kind]) + (is(n, f_.taking) ? " conditional" : ""), true);
    }
    if (is(n, f_.buffered))
        add(n, "buffered", 0, "", true);
    if (node_.value(n, f_.owner) == static_cast<unsigned>(Owner::issue))
        c.stores.push_back(add(n, "store", 0, "", false)); // if it is one
}

/// Instructions retire in the order in which they issued.
void History::retired(unsigned n) {
    Core &c = cores_[n];
    Row *const issued = c.stores.front();
    c.stores.pop_front();
    const auto instruction = static_cast<uint32_t>(node_.value(n, f_.instruction));
    const uint64_t at = node_.value(n, f_.at) & physicalMask;
    const unsigned size = bytes(instruction);
    const bool memory = is(n, f_.memory) && !is(n, f_.io), store = is(n, f_.store);
    const auto tells = [](Row *row, uint64_t address, const std::string &more) {
        row->at = address;
        row->more = more;
        row->known = true;
    };
    const auto first = [](std::deque<Row *> &rows) {
        Row *const row = rows.front();
        rows.pop_front();
        return row;
    };
    const std::string data = words(size, node_.value(n, store ? f_.data : f_.value));
    if (memory && store && !isStoreConditional(instruction)) {
        tells(issued, at, data);
        return;
    }
    issued->what = nullptr; // no store: no row
    issued->known = true;
    if (memory && store) {
        tells(first(c.verdicts), at, data);
    } else if (memory) {
        Row *const hit = first(c.loads);
        tells(hit ? hit : first(c.misses), at, data);
        if (isLoadLocked(instruction))
            tells(first(c.linked), at, "");
    }
}

bool History::waits() const {
    return std::any_of(rows_.begin(), rows_.end(),
                       [this](const Row &row) { return row.tick < end_ && !row.known; });
}

/// Write the known rows of ticks before this one.
void History::write(uint64_t before) {
    for (; !rows_.empty() && rows_.front().known && rows_.front().tick < before; rows_.pop_front())
        if (const Row &row = rows_.front(); row.what && row.tick < end_)
            out_ << row.tick << ',' << row.core << ',' << row.what << ',' << hex(row.at) << ','
                 << row.more << '\n';
}

void History::close() {
    write(end_);
    if (!out_.flush())
        throw UserError(path_ + ": cannot be written.");
}

} // namespace mcpi::cores
