// SPDX-License-Identifier: BSD-2-Clause
#include "history.h"

#include <algorithm>

#include "difference.h"
#include "registers.h"

namespace mcpi::histories {

using namespace am7990;

namespace {

constexpr uint64_t slot7Sparse = 0x1F0000000;

/// The times between zero and the fitted ones; a heartbeat window is none, or long enough.
void shorten(lance_config &c, Random &random) {
    for (uint32_t *time : {&c.word, &c.gap, &c.arbitration, &c.csr, &c.demand, &c.setup, &c.start,
                           &c.heartbeat, &c.status, &c.interrupt})
        *time = random.below(*time + 1);
    c.heartbeat = std::max(c.heartbeat, 30u);
}

void none(lance_config &c) {
    c.word = c.gap = c.arbitration = c.csr = c.demand = c.setup = c.start = c.heartbeat = 0;
    c.status = c.interrupt = 0;
}

} // namespace

History::History(const Setting &setting, uint64_t seed, Tally &tally)
    : setting_(setting), seed_(seed), tally_(tally), random_(seed), more_(~seed),
      memory_(memorySize), window_(memory_.data(), windowBase), monitor_(window_) {
    lance_config config = setting.times;
    const unsigned drawn = random_.below(20), kind = setting.fitted ? 19 : drawn;
    fast_ = kind < 13;
    if (fast_)
        none(config);
    else if (kind < 16)
        shorten(config, random_);
    hit("times", fast_ ? "none" : kind < 16 ? "some" : "fitted");
    config.sqe_test = random_.chance(0.8);
    hit("SQE test", config.sqe_test, "answers", "does not");
    poll_ = random_.pick({20000u, 280000u, 280000u, 280000u}); // a poll costs more than idle ticks
    hit("poll", poll_ == 20000, "20000 ticks", "280000 ticks");
    config.poll = poll_;
    config.poll_phase = random_.below(poll_);
    latency_ = random_.between(1, 40);
    hit("memory", latency_ <= 10, "up to 10 ticks", "up to 40 ticks");
    config.dma_latency = latency_;
    for (unsigned i = 0; i < 6; ++i)
        config.station |= uint64_t{stationAddress[i]} << 8 * i;
    card_ = std::make_unique<Card>(config, memory_, setting.cLance, setting.exact);
    mirror_ = std::make_unique<Window>(card_->mirror().data(), windowBase);
    card_->watch(Monitor::watch, &monitor_);
    monitor_.card = card_.get();
    monitor_.quick = monitor_.slow = latency_;
    say(text("times %s, memory %u ticks, sqe %d",
             fast_       ? "none"
             : kind < 16 ? "some"
                         : "fitted",
             latency_, config.sqe_test));
}

void History::run(unsigned count, const std::vector<bool> &without) {
    start();
    restart();
    for (unsigned n = 0; n < count; ++n) {
        if (n < without.size() && without[n])
            continue;
        random_ = Random((seed_ + 1) * 0x2545F4914F6CDD1D + n);
        more_ = Random(~((seed_ + 1) * 0x2545F4914F6CDD1D + n));
        say(text("step %u, tick %llu", n, (unsigned long long)card_->now()));
        step(n);
        ++tally_.steps;
    }
    tally_.ticks += card_->now();
    tally_.evaluations += card_->evaluations();
    tally_.commands += monitor_.commands;
}

// Accesses

void History::io(uint32_t offset, unsigned value) {
    int error = 0;
    card_->access(slot7Sparse + 2 * uint64_t{offset}, true, value, error);
    if (error)
        throw Difference(text("a write to %x timed out", offset));
}

unsigned History::ioRead(uint32_t offset) {
    int error = 0;
    const uint64_t value = card_->access(slot7Sparse + 2 * uint64_t{offset}, false, 0, error);
    if (error)
        throw Difference(text("a read of %x timed out", offset));
    return static_cast<unsigned>(value);
}

void History::rap(unsigned value) {
    io(RAP, value);
    rap_ = value & 3;
}

void History::rdp(unsigned value) {
    say(text("csr%u=%04x", rap_, value));
    if (rap_ == 0 && value & (INIT | STRT))
        monitor_.stopped = false;
    io(RDP, value);
}

void History::reset(bool active) {
    say(active ? "RESET" : "out of RESET");
    io(SSR, SSR_DMA | (active ? 0 : SSR_ON));
    rap_ = 0;
}

void History::setWord(uint32_t a, unsigned value) {
    window_.setWord(a, value);
    mirror_->setWord(a, value);
}

void History::setBytes(uint32_t a, const Bytes &data) {
    window_.setBytes(a, data);
    mirror_->setBytes(a, data);
}

} // namespace mcpi::histories
