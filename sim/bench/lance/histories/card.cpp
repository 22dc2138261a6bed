// SPDX-License-Identifier: BSD-2-Clause
#include "card.h"

#include <dlfcn.h>

#include <algorithm>

#include "base/error.h"
#include "difference.h"

namespace mcpi::histories {
namespace {

constexpr unsigned mostAhead = 4; // a burst under way, one for a conflict, one each beat

Bytes written(const lance_dma &d) {
    Bytes data;
    for (unsigned i = 0; d.write && i < 16; ++i)
        if (d.mask >> i & 1)
            data.push_back(d.data[i]);
    return data;
}

std::string said(uint64_t tick, uint64_t address, bool write, uint32_t mask, const Bytes &data) {
    std::string line = text("tick %llu: DMA %s %llx mask %04x", (unsigned long long)tick,
                            write ? "to" : "from", (unsigned long long)address, write ? mask : 0);
    for (const uint8_t byte : data)
        line += text(" %02x", byte);
    return line;
}

} // namespace

ExactLibrary::ExactLibrary(const std::string &path) {
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!library)
        throw UserError(dlerror());
    const auto find = [library](auto &function, const char *name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
        if (!function)
            throw UserError(dlerror());
    };
    find(free, "lance_free");
    find(access, "lance_access");
    find(advance, "lance_advance");
    find(now, "lance_now");
    find(active, "lance_active");
    find(interrupt, "lance_interrupt");
    find(setHalfDuplex, "lance_set_half_duplex");
    find(receive, "lance_receive");
    find(collide, "lance_collide");
    find(loseCarrier, "lance_lose_carrier");
    find(setLatency, "lance_set_dma_latency");
    find(forgetCollisions, "lance_forget_collisions");
    find(sent, "lance_sent");
    find(failReads, "lance_fail_reads");
    find(watchDma, "lance_watch_dma");
    find(watchLine, "lance_watch_line");
    find(make, "lance_exact_new");
    find(state, "lance_exact_state");
}

Card::Card(const lance_config &config, Bytes &memory, bool cLance, const ExactLibrary *exact)
    : memory_(memory), mirror_(memory), library_(exact), latency_(config.dma_latency) {
    rtl_ = lance_new(&config, memory.data(), memory.size());
    if (!rtl_)
        throw UserError(lance_refusal());
    lance_watch_dma(rtl_, rtlCommand, this);
    exact_ = exact->make(&config, mirror_.data(), mirror_.size(), cLance, 0);
    exact->watchDma(exact_, exactCommand, this);
    exact->watchLine(exact_, exactChange, this);
    lance_watch_line(rtl_, rtlChange, this);
}

Card::~Card() {
    lance_free(rtl_);
    library_->free(exact_);
}

void Card::watch(void (*function)(void *, const lance_dma *), void *context) {
    watch_ = function;
    watcher_ = context;
}

void Card::rtlCommand(void *self, const lance_dma *dma) {
    Card &card = *static_cast<Card *>(self);
    card.counts("the RTL", *dma);
    if (card.watch_)
        card.watch_(card.watcher_, dma);
    card.commands_.push_back(
        {dma->tick, dma->address, dma->write != 0, dma->mask, card.latency_, written(*dma)});
}

void Card::exactCommand(void *self, const lance_dma *dma) {
    Card &card = *static_cast<Card *>(self);
    card.counts("the exact card", *dma);
    if (!card.difference_.empty())
        return;
    const Bytes data = written(*dma);
    const std::string got = said(dma->tick, dma->address, dma->write, dma->mask, data);
    if (card.commands_.empty()) {
        card.differs(got + ", and the RTL none");
        return;
    }
    const Command &c = card.commands_.front();
    const std::string wanted = said(c.tick, c.address, c.write, c.mask, c.data);
    if (got != wanted)
        card.differs(got + " instead of " + wanted);
    card.library_->setLatency(card.exact_, c.latency);
    card.commands_.pop_front();
}

/// A burst goes ahead of an access that waits: not again and again (turbochannel.md).
void Card::counts(const char *whose, const lance_dma &dma) {
    if (ahead_ && ahead_++ > mostAhead)
        throw Difference(text("%s: an access waits for DMA without an end, tick %llu", whose,
                              (unsigned long long)dma.tick));
}

void Card::rtlChange(void *self, uint64_t tick, int level) {
    static_cast<Card *>(self)->changes_.push_back({tick, level});
}

void Card::exactChange(void *self, uint64_t tick, int level) {
    Card &card = *static_cast<Card *>(self);
    const Change wanted = card.changes_.empty() ? Change{} : card.changes_.front();
    if (wanted.tick != tick || wanted.level != level)
        card.differs(text("the line is %d in tick %llu instead of %d in %llu", level,
                          (unsigned long long)tick, wanted.level, (unsigned long long)wanted.tick));
    if (!card.changes_.empty())
        card.changes_.pop_front();
}

void Card::differs(const std::string &what) {
    if (difference_.empty())
        difference_ = "the exact card: " + what;
}

/// Both have done the same up to the same tick.
void Card::check() {
    if (difference_.empty() && !commands_.empty()) {
        const Command &c = commands_.front();
        differs("no " + said(c.tick, c.address, c.write, c.mask, c.data));
    }
    if (difference_.empty() && !changes_.empty())
        differs(text("the line is not %d in tick %llu", changes_.front().level,
                     (unsigned long long)changes_.front().tick));
    if (library_->now(exact_) != now())
        differs(text("tick %llu instead of %llu", (unsigned long long)library_->now(exact_),
                     (unsigned long long)now()));
    if (library_->active(exact_) != active())
        differs(text("active in tick %llu instead of %llu",
                     (unsigned long long)library_->active(exact_), (unsigned long long)active()));
    if (!difference_.empty())
        throw Difference(difference_);
}

uint64_t Card::access(uint64_t address, bool write, uint64_t data, int &error, bool quad) {
    ahead_ = 1;
    const uint64_t value = lance_access(rtl_, address, write, data, quad, &error);
    ahead_ = 1;
    int failed = 0;
    const uint64_t got = library_->access(exact_, address, write, data, quad, &failed);
    ahead_ = 0;
    check();
    if (failed != error || (!write && got != value))
        throw Difference(text("the exact card: a read of %llx gives %llx instead of %llx",
                              (unsigned long long)address, (unsigned long long)got,
                              (unsigned long long)value));
    return value;
}

void Card::advance(uint64_t ticks) {
    lance_advance(rtl_, ticks, 0);
    library_->advance(exact_, ticks, 0);
    check();
}

void Card::setHalfDuplex(bool half) {
    lance_set_half_duplex(rtl_, half);
    library_->setHalfDuplex(exact_, half);
}

void Card::receive(uint64_t tick, const Bytes &nibbles) {
    lance_receive(rtl_, tick, nibbles.data(), nibbles.size());
    library_->receive(exact_, tick, nibbles.data(), nibbles.size());
}

void Card::collide(uint32_t ticks) {
    lance_collide(rtl_, ticks);
    library_->collide(exact_, ticks);
}

void Card::forgetCollisions() {
    lance_forget_collisions(rtl_);
    library_->forgetCollisions(exact_);
}

void Card::loseCarrier(uint32_t ticks) {
    lance_lose_carrier(rtl_, ticks);
    library_->loseCarrier(exact_, ticks);
}

bool Card::sent(Sent &frame) {
    const auto take = [](Sent &into, auto function, lance *card) {
        into.nibbles.resize(8192);
        into.nibbles.resize(
            function(card, into.nibbles.data(), into.nibbles.size(), &into.first, &into.last));
        return !into.nibbles.empty();
    };
    const bool there = take(frame, lance_sent, rtl_);
    Sent other;
    const bool too = take(other, library_->sent, exact_);
    const bool same = frame.first == other.first && frame.last == other.last;
    if (there != too || (there && (frame.nibbles != other.nibbles || !same)))
        throw Difference(text(
            "the exact card: sends %zu nibbles in %llu to %llu instead of %zu in %llu to %llu",
            other.nibbles.size(), (unsigned long long)other.first, (unsigned long long)other.last,
            frame.nibbles.size(), (unsigned long long)frame.first, (unsigned long long)frame.last));
    return there;
}

void Card::setLatency(uint32_t ticks) {
    latency_ = ticks;
    lance_set_dma_latency(rtl_, ticks);
    if (commands_.empty())
        library_->setLatency(exact_, ticks);
}

void Card::failReads(bool fail) {
    lance_fail_reads(rtl_, fail);
    library_->failReads(exact_, fail);
}

lance_state Card::state() const {
    lance_state state;
    library_->state(exact_, &state);
    return state;
}

void Card::compareMemory() const {
    if (memory_ == mirror_)
        return;
    const auto at = std::mismatch(memory_.begin(), memory_.end(), mirror_.begin());
    throw Difference(text("the exact card: memory at %zx is %02x, not %02x",
                          static_cast<size_t>(at.first - memory_.begin()), *at.second, *at.first));
}

} // namespace mcpi::histories
