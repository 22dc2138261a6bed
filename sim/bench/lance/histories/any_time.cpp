// SPDX-License-Identifier: BSD-2-Clause
#include "any_time.h"

#include <algorithm>

#include "difference.h"

namespace mcpi::histories {

using namespace am7990;

namespace {

constexpr uint64_t slot7Sparse = 0x1F0000000;
constexpr uint32_t memorySize = 0x40000, windows[] = {0x20000, 0}, outside = 0x80000;
constexpr uint32_t rxRing = 0x100, txRing = 0x200, rxBuffers = 0x1000, txBuffers = 0x8000;
constexpr uint64_t spacing = 1680; // 9.6 us
constexpr unsigned allOfCsr0 = BABL | CERR | MISS | MERR | RINT | TINT | IDON;

} // namespace

AnyTime::AnyTime(const Setting &setting, uint64_t seed, Tally &tally)
    : setting_(setting), seed_(seed), tally_(tally), random_(~seed * 0x2545F4914F6CDD1D),
      memory_(memorySize) {
    lance_config config = setting.times;
    draw(config);
    card_ = std::make_unique<Card>(config, memory_, setting.cLance, setting.exact);
    card_->watch(watch, this);
    hit("duplex", half_ ? "half" : "full");
    for (auto &byte : memory_)
        byte = static_cast<uint8_t>(random_.bits());
    card_->mirror() = memory_;
}

void AnyTime::draw(lance_config &c) {
    Random &r = random_;
    const unsigned kind = r.below(4); // none, up to 30 ticks, up to the fitted ones, these
    for (uint32_t *time : {&c.word, &c.gap, &c.arbitration, &c.csr, &c.demand, &c.setup, &c.start,
                           &c.heartbeat, &c.status, &c.interrupt})
        *time = kind == 0 ? 0 : kind == 1 ? r.below(30) : kind == 2 ? r.below(*time + 1) : *time;
    hit("times", kind == 0 ? "none" : kind == 3 ? "fitted" : "some");
    const bool shortly = r.chance(0.3);
    poll_ = shortly ? r.below(1500) : r.pick({6000u, 280000u}) + r.below(100);
    latency_ = r.pick({r.between(1, 40), r.between(1, 40), r.between(40, 400)});
    hit("poll and memory", !shortly               ? "slow polls"
                           : poll_ < 3 * latency_ ? "short polls, slow memory"
                                                  : "short polls, fast memory");
    c.poll = poll_;
    c.poll_phase = r.below(std::min(poll_ + 1, 3000u));
    c.dma_latency = latency_;
    if (r.chance(0.2))
        c.transmit_threshold = r.between(1, 48);
    c.sqe_test = r.chance(0.8);
    hit("SQE test", c.sqe_test ? "answers" : "does not");
    c.half_duplex = half_ = r.chance(0.5);
    for (unsigned i = 0; i < 6; ++i)
        c.station |= uint64_t{stationAddress[i]} << 8 * i;
    say(text("times of kind %u: word %u gap %u arbitration %u csr %u; poll %u, memory %u ticks, %s",
             kind, c.word, c.gap, c.arbitration, c.csr, poll_, latency_, half_ ? "half" : "full"));
}

void AnyTime::run(unsigned count, const std::vector<bool> &without) {
    block();
    io(POINTER, windows[0] << 3);
    io(SIMR, SIR_LANCE);
    io(SSR, SSR_DMA | SSR_ON);
    if (random_.chance(0.5))
        giveTransmit();
    bringUp();
    if (random_.chance(0.5)) // the first frame in the first 9.6 us after power-on, or not
        rdp(TDMD | INEA);
    for (unsigned n = 0; n < count; ++n) {
        if (n < without.size() && without[n])
            continue;
        random_ = Random((seed_ + 1) * 0x9E6C63D0876A9A47 + n);
        say(text("step %u, tick %llu", n, (unsigned long long)card_->now()));
        for (unsigned k = random_.between(1, 6); k; --k) {
            act();
            between();
        }
        collect();
        card_->compareMemory();
        ++tally_.steps;
    }
    card_->advance(60000);
    collect();
    card_->compareMemory();
    tally_.ticks += card_->now();
    tally_.evaluations += card_->evaluations();
}

// Acts of the chip

void AnyTime::watch(void *self, const lance_dma *dma) {
    AnyTime &history = *static_cast<AnyTime *>(self);
    ++history.tally_.commands;
    const auto a = static_cast<uint32_t>(dma->address % 0x20000 / 2);
    if (history.state_ == reads && !dma->write && a + 8 > history.at_ && a < history.at_ + 24 &&
        ++history.words_ == 12)
        history.state_ = runs;
}

const char *AnyTime::state() const {
    return state_ == stopped ? "while stopped"
           : state_ == reads ? "while INIT reads"
                             : "while running";
}

void AnyTime::collect() {
    for (Card::Sent frame; card_->sent(frame);) {
        ++tally_.attempts;
        if (!sent_)
            hit("first frame", frame.first < spacing ? "in the first 9.6 us" : "later");
        sent_ = true;
    }
}

// The driver

void AnyTime::io(uint32_t offset, unsigned value, unsigned mask) {
    int error = 0;
    const uint64_t data = mask == 15 ? value : value | uint64_t{mask} << 32;
    card_->access(slot7Sparse + 2 * uint64_t{offset}, true, data, error, mask != 15);
    if (error)
        throw Difference(text("a write to %x timed out", offset));
    say(text("%x=%08x, bytes %x; tick %llu", offset, value, mask,
             (unsigned long long)card_->now()));
}

void AnyTime::readSomething() {
    static constexpr std::pair<const char *, uint32_t> registers[] = {
        {"RDP", RDP},   {"RAP", RAP},         {"SIR", SIR},    {"SSR", SSR},
        {"SIMR", SIMR}, {"pointer", POINTER}, {"ROM", 0x80000}};
    const auto &[name, offset] = registers[random_.below(7)];
    hit("read", name);
    int error = 0;
    const uint64_t value = card_->access(slot7Sparse + 2 * uint64_t{offset}, false, 0, error);
    say(text("%s is %08llx", name, (unsigned long long)value));
}

void AnyTime::csr(unsigned number, unsigned value) {
    io(RAP, number);
    io(RDP, value);
}

/// In both windows.
void AnyTime::setWord(uint32_t a, unsigned value) {
    for (Bytes *memory : {&memory_, &card_->mirror()})
        for (const uint32_t base : windows)
            Window(memory->data(), base).setWord(a, value);
}

void AnyTime::setBytes(uint32_t a, const Bytes &data) {
    for (Bytes *memory : {&memory_, &card_->mirror()})
        for (const uint32_t base : windows)
            Window(memory->data(), base).setBytes(a, data);
}

/// The initialization block, and rings in which most receive buffers are the chip's.
void AnyTime::block() {
    Random &r = random_;
    unsigned mode =
        r.pick({0, 0, 0, 0, 0x8000, 0x0008, 0x0020, 0x0001, 0x0002, 0x0004, 0x0044, 0x004C});
    hit("MODE", modeName(mode));
    if (r.chance(0.05))
        hit("MODE", "COLL"), mode |= COLL;
    if (r.chance(0.15))
        hit("MODE", "EMBA"), mode |= EMBA;
    const bool another = r.chance(0.5);
    hit("PADR", another ? "another" : "the ROM's");
    for (unsigned i = 0; i < 6; ++i)
        padr_[i] = another ? r.below(256) & (i ? 0xFF : 0xFE) : stationAddress[i];
    at_ = 2 * r.below(16);
    rxLog_ = r.below(4);
    txLog_ = r.below(4);
    for (const unsigned log : {rxLog_, txLog_})
        hit("ring entries, any time", std::to_string(1 << log));
    unsigned words[12] = {mode};
    for (unsigned i = 0; i < 3; ++i)
        words[1 + i] = padr_[2 * i] | padr_[2 * i + 1] << 8;
    for (unsigned i = 4; i < 8; ++i)
        words[i] = r.below(0x10000);
    words[8] = rxRing | r.below(8);
    words[9] = rxLog_ << 13;
    words[10] = txRing | r.below(8);
    words[11] = txLog_ << 13;
    for (unsigned i = 0; i < 12; ++i)
        setWord(at_ + 2 * i, words[i]);
    for (unsigned i = 0; i < 8; ++i) {
        giveReceive(i);
        setWord(txRing + 8 * i + 2, 0);
    }
    say(text("mode %04x, rings %u and %u", mode, 1 << rxLog_, 1 << txLog_));
}

/// CSR1 to CSR3, INIT and STRT, at once or a while apart.
void AnyTime::bringUp() {
    Random &r = random_;
    csr(1, at_);
    csr(2, 0);
    csr(3, r.pick({0, 0, 0, 4}));
    io(RAP, 0);
    state_ = reads;
    words_ = next_ = rap_ = 0;
    if (r.chance(0.7)) {
        rdp(INIT | STRT | INEA);
    } else {
        rdp(INIT | r.pick({0u, +INEA}));
        card_->advance(r.pick({0u, r.below(2000), 12000u}));
        rdp(STRT | INEA);
    }
}

void AnyTime::giveReceive(unsigned i) {
    Random &r = random_;
    const uint32_t d = rxRing + 8 * i, at = rxBuffers + 0x600 * (i % 8) + r.pick({0u, r.below(16)});
    const unsigned size = r.pick({r.between(1, 63), r.between(64, 200), 1500u, 1500u});
    hit("receive buffer begins", beginning(at));
    setWord(d, at);
    setWord(d + 4, 0x10000 - size);
    setWord(d + 2, r.chance(0.85) ? OWN : 0);
}

/// A frame in one to three buffers, whose flags are those of a frame, most of the time.
void AnyTime::giveTransmit() {
    Random &r = random_;
    const unsigned ring = 1u << txLog_, pieces = r.pick({1, 1, 2, 3});
    const bool ends = r.chance(0.93), starts = r.chance(0.95);
    bool later = false;
    std::string sizes;
    for (unsigned n = std::min(pieces, ring); n-- > 0;) { // the first one last
        const unsigned i = (next_ + n) % ring;
        const bool inside = r.chance(0.3);
        const unsigned size = pieces > 1 ? r.between(1, 160)
                              : inside   ? r.between(8, 32)
                                         : r.between(1, 300);
        const uint32_t at = txBuffers + 0x700 * i + r.pick({0u, r.below(16)});
        hit("transmit buffer begins", beginning(at));
        Bytes data = r.bytes(size);
        if (n == 0 && r.chance(0.5))
            std::copy_n(padr_, std::min(6u, size), data.begin());
        setBytes(at, data);
        const bool stp = n ? r.chance(0.15) : starts;
        later |= n && stp;
        setWord(txRing + 8 * i, at);
        setWord(txRing + 8 * i + 4, 0x10000 - size);
        setWord(txRing + 8 * i + 2, OWN | (stp ? +STP : 0) |
                                        (n + 1 == std::min(pieces, ring) && ends ? +ENP : 0) |
                                        r.pick({0u, 0u, +ADD_FCS, +DEF}));
        sizes += text(" %u", size);
    }
    hit("transmit buffers", pieces == 1 ? "one" : "a chain");
    hit("transmit ends", ends ? "ENP in the last" : "cut off");
    hit("STP", later ? "in a later one" : starts ? "in the first" : "in none");
    say("tx" + sizes);
    next_ = (next_ + pieces) % ring;
}

// Acts that come at any time

void AnyTime::act() {
    Random &r = random_;
    if (state_ == stopped && r.chance(0.4)) {
        if (r.chance(0.3))
            block();
        io(SSR, SSR_DMA | SSR_ON);
        bringUp();
        return;
    }
    switch (r.below(26)) {
    case 0 ... 5:
        giveTransmit();
        collides();
        rdp(TDMD | INEA);
        break;
    case 6 ... 9:
        receive();
        break;
    case 10 ... 11:
        for (unsigned i = 0; i < 8; ++i)
            if (r.chance(0.5))
                giveReceive(i);
        break;
    case 12 ... 13:
        readSomething();
        break;
    case 14 ... 16:
        writeCsr0();
        break;
    case 17:
        writeOthers();
        break;
    case 18:
        five();
        break;
    case 19:
        writePointer();
        break;
    case 20:
        writeSsr();
        break;
    case 21:
        writeSimr();
        break;
    case 22:
        resets();
        break;
    case 23:
        memoryChanges();
        break;
    case 24:
        rdp(allOfCsr0 | INEA);
        break;
    default:
        hit("STOP", state());
        rdp(STOP);
        state_ = stopped;
    }
}

void AnyTime::writeCsr0() {
    hit("CSR0, no STOP", state());
    const unsigned value =
        (random_.below(0x10000) & ~0xFu) | random_.pick({0u, 0u, +TDMD, +STRT, STRT | INIT, +INIT});
    if (value & INIT && state_ == stopped) {
        state_ = reads;
        words_ = next_ = 0;
    } else if (value & STRT && state_ == stopped) {
        state_ = runs;
    }
    rdp(value);
}

/// Through RAP, which is 0 again afterwards; some bytes of registers.
void AnyTime::writeOthers() {
    Random &r = random_;
    hit("CSR1 to CSR3", state());
    const unsigned number = r.between(1, 3);
    csr(number, number == 1 ? at_ : number == 2 ? 0 : r.below(8));
    io(RAP, 4 * r.below(0x4000));
    const unsigned mask = r.below(16);
    hit("bytes of a register", !mask ? "none" : mask == 15 ? "all" : "some");
    const auto [offset, value] = r.pick<std::pair<uint32_t, unsigned>>(
        {{RDP, 0x40}, {RAP, 0}, {SIMR, SIR_LANCE}, {SIR, 0}, {POINTER, windows[0] << 3}});
    io(offset, value, mask);
}

/// STOP after writes back to back, which may come at any tick of an initialization.
void AnyTime::five() {
    hit("five writes and STOP", state());
    for (unsigned n = random_.below(6); n; --n)
        csr(0, INEA);
    rdp(STOP);
    state_ = stopped;
}

void AnyTime::writePointer() {
    hit("pointer", state());
    const unsigned which = random_.pick({0, 1, 1, 2});
    hit("pointer to", which == 0 ? "one window" : which == 1 ? "the other" : "no memory");
    io(POINTER, (which < 2 ? windows[which] : outside) << 3 | random_.below(1 << 15) << 5);
}

void AnyTime::writeSsr() {
    hit("SSR, DMA off", state());
    io(SSR, SSR_ON);
    between();
    if (random_.chance(0.8))
        io(SSR, SSR_DMA | SSR_ON);
}

void AnyTime::writeSimr() {
    const unsigned which = random_.below(4);
    hit("SIMR", state());
    hit("SIMR to", which == 0 ? "0" : which == 1 ? "chip" : which == 2 ? "error" : "both");
    io(SIMR, (which & 1 ? SIR_LANCE : 0) | (which & 2 ? SIR_READ_ERROR : 0));
    if (random_.chance(0.3))
        io(SIR, 0);
}

/// RESET, in which the driver goes on, or not.
void AnyTime::resets() {
    Random &r = random_;
    hit("RESET", state());
    io(SSR, r.pick({+SSR_DMA, 0u}));
    state_ = stopped;
    const unsigned what = r.below(3);
    hit("in RESET", what == 0 ? "a write of CSR0" : what == 1 ? "a read" : "nothing");
    between();
    if (what == 0)
        rdp(r.pick({INIT | STRT | INEA, +INIT, STRT | TDMD}));
    if (what == 1)
        readSomething();
    between();
    io(SSR, SSR_DMA | SSR_ON);
    if (r.chance(0.3))
        rdp(STRT | INEA);
}

void AnyTime::memoryChanges() {
    Random &r = random_;
    const unsigned how = r.below(6);
    hit("memory, any time", how < 2    ? "up to 40"
                            : how == 2 ? "up to 400"
                            : how == 3 ? "up to 4400"
                            : how == 4 ? "late"
                                       : "fails");
    latency_ = how == 3   ? r.between(400, 4400)
               : how == 4 ? 6000
               : how == 2 ? r.between(40, 400)
                          : r.between(1, 40);
    card_->setLatency(latency_);
    card_->failReads(how == 5);
    say(text("memory %u ticks%s", latency_, how == 5 ? ", reads fail" : ""));
    if (how < 3)
        return;
    receive();
    between();
    between();
    latency_ = r.between(1, 40);
    card_->setLatency(latency_);
    card_->failReads(false);
    say("memory as before");
}

void AnyTime::collides() {
    Random &r = random_;
    if (!half_ || r.chance(0.5))
        return;
    const unsigned kind = r.pick({0, 0, 0, 1, 2});
    hit("collision, any time", kind == 0 ? "planned" : kind == 1 ? "forgotten" : "carrier goes");
    if (kind == 1)
        card_->forgetCollisions();
    if (kind == 2)
        card_->loseCarrier(r.between(1, 15000));
    for (unsigned n = kind ? 0 : r.between(1, 3); n; --n)
        card_->collide(r.pick({r.between(1, 9100), r.between(1, 30000), ~0u}));
}

void AnyTime::receive() {
    Random &r = random_;
    Bytes to(padr_, padr_ + 6);
    const unsigned whose = r.below(8);
    const bool others = !std::equal(padr_, padr_ + 6, stationAddress);
    if (whose == 0)
        to[5] ^= 7;
    if (whose == 1 && others)
        to.assign(stationAddress, stationAddress + 6);
    if (whose == 2)
        to = Bytes(6, 0xFF);
    if (whose == 3)
        to = {1, 0, 0x5E, 0, 0, static_cast<uint8_t>(r.below(8))};
    hit("received for", whose == 0             ? "another station"
                        : whose == 1 && others ? "the ROM's, which is another"
                        : whose == 2           ? "all"
                        : whose == 3           ? "a group"
                                               : "PADR");
    const Bytes body = to + r.bytes(r.pick({r.between(1, 54), r.between(54, 300)}));
    Bytes wire = frameNibbles(body + fcs(body));
    if (r.chance(0.1))
        wire.push_back(static_cast<uint8_t>(r.below(16)));
    if (r.chance(0.1))
        wire[r.between(16, static_cast<uint32_t>(wire.size()) - 1)] ^= r.pick({1, 16});
    card_->receive(card_->now() + r.below(3000), wire);
    ++tally_.received;
    say(text("rx %zu nibbles", wire.size()));
}

/// Some ticks pass, or none.
void AnyTime::between() {
    Random &r = random_;
    const unsigned kind = r.pick({0, 1, 2, 2, 3, 3, 4});
    static constexpr const char *names[] = {"nothing", "up to 20", "up to 300", "up to 3000",
                                            "up to 30000"};
    static constexpr uint32_t most[] = {1, 20, 300, 3000, 30000};
    hit("between", names[kind]);
    if (kind)
        card_->advance(1 + r.below(most[kind]));
}

} // namespace mcpi::histories
