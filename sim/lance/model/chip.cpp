// SPDX-License-Identifier: BSD-2-Clause
#include "chip.h"

#include <algorithm>

namespace mcpi::lance_model {
namespace {

uint32_t crc(const uint8_t *data, std::size_t size) {
    uint32_t c = ~0u;
    for (std::size_t i = 0; i < size; ++i) {
        c ^= data[i];
        for (int k = 0; k < 8; ++k)
            c = c & 1 ? 0xEDB88320 ^ c >> 1 : c >> 1;
    }
    return c;
}

} // namespace

Bytes fcs(const Bytes &data) {
    const uint32_t c = ~crc(data.data(), data.size());
    return {uint8_t(c), uint8_t(c >> 8), uint8_t(c >> 16), uint8_t(c >> 24)};
}

Bytes nibbles(const Bytes &data) {
    Bytes out(preambleNibbles, 5);
    out.back() = 0xD;
    for (const uint8_t byte : data) {
        out.push_back(byte & 15);
        out.push_back(byte >> 4);
    }
    return out;
}

// Registers

unsigned Chip::csr0() const {
    unsigned value = csr[0];
    if (value & (BABL | MISS | MERR | RINT | TINT | IDON))
        value |= INTR;
    if (value & (BABL | CERR | MISS | MERR))
        value |= ERR;
    return value;
}

void Chip::writeRdp(unsigned value) {
    if (inReset_)
        return;
    if (rap == 0)
        writeCsr0(value);
    else if (csr[0] & STOP)
        csr[rap] = rap == 3 ? value & 7 : value;
}

unsigned Chip::readRdp() const {
    if (rap == 0)
        return csr0();
    return csr[0] & STOP ? csr[rap] : 0;
}

void Chip::reset(bool active) {
    if (active) {
        writeCsr0(STOP);
        rap = 0;
        held_ = false; // no STRT starts on the block from before
    }
    inReset_ = active;
}

void Chip::writeCsr0(unsigned value) {
    unsigned &c = csr[0];
    if (value & STOP) {
        c = STOP;
        csr[3] = 0;
        reading_ = read_ = running_ = false;
        return;
    }
    const bool stopped = c & STOP;
    c &= ~(value & (BABL | CERR | MISS | MERR | RINT | TINT | IDON));
    if (!stopped || value & (INIT | STRT) || cLance_)
        c = (c & ~INEA) | (value & INEA);
    if (value & TDMD && (c | value) & STRT)
        c |= TDMD;
    if (value & (INIT | STRT))
        c &= ~STOP;
    c |= value & (STRT | INIT);
    if (value & INIT && read_) {
        c |= IDON;
    } else if (value & INIT && !reading_ && !(c & (RXON | TXON))) {
        reading_ = true;
        held_ = false;
    }
    start();
}

/// STRT takes effect once for each STOP and each block.
void Chip::start() {
    if (!(csr[0] & STRT) || !held_ || running_)
        return;
    running_ = true;
    csr[0] |= (mode & DRX ? 0 : +RXON) | (mode & DTX ? 0 : +TXON);
}

void Chip::initialize() {
    if (!reading_)
        return;
    reading_ = false;
    if (outside.dead) {
        memoryError();
        return;
    }
    const uint32_t at = (csr[1] | csr[2] << 16) & 0xFFFFFE;
    unsigned words[12];
    for (unsigned i = 0; i < 12; ++i)
        words[i] = window.word(at + 2 * i);
    mode = words[0];
    for (unsigned i = 0; i < 6; ++i)
        physical_[i] = words[1 + i / 2] >> i % 2 * 8 & 0xFF;
    logical_ = 0;
    for (unsigned i = 0; i < 4; ++i)
        logical_ |= uint64_t{words[4 + i]} << 16 * i;
    const auto ring = [&words](unsigned i) {
        return Ring{(words[i] & 0xFFF8) | (words[i + 1] & 0xFF) << 16, 1u << (words[i + 1] >> 13)};
    };
    rx = ring(8);
    tx = ring(10);
    held_ = read_ = true;
    running_ = false;
    csr[0] |= IDON;
    start();
}

/// READY stays away: the chip gives up whatever it was doing.
void Chip::memoryError() {
    csr[0] |= MERR;
    csr[0] &= ~(RXON | TXON);
}

// Descriptors

std::pair<uint32_t, unsigned> Chip::buffer(uint32_t d) const {
    return {window.word(d) | (window.word(d + 2) & 0xFF) << 16,
            4096 - (window.word(d + 4) & 0xFFF)};
}

void Chip::giveBack(uint32_t descriptor, unsigned status) {
    window.chipWritesWord(descriptor + 2, status | (window.word(descriptor + 2) & 0xFF));
}

// Transmit

void Chip::transmit() {
    initialize();
    while (csr[0] & TXON) {
        csr[0] &= ~TDMD;
        if (outside.dead)
            return memoryError();
        const uint32_t first = tx.descriptor();
        const unsigned flags = window.word(first + 2);
        if (!(flags & OWN))
            return;
        if (flags & STP) {
            frame(flags & ADD_FCS && cLance_);
        } else {
            giveBack(first, flags & 0x7F00);
            tx.advance();
        }
    }
}

void Chip::frame(bool addFcs) {
    const unsigned start = tx.index;
    const uint32_t first = tx.descriptor();
    Bytes data;
    bool cutOff = false, dry = false;
    Ring gather = tx;
    std::vector<uint32_t> chain;
    for (;;) {
        const auto [address, size] = buffer(gather.descriptor());
        data = data + window.bytes(address, size, swaps());
        dry = outside.underflow && *outside.underflow <= data.size();
        if (dry || window.word(gather.descriptor() + 2) & ENP)
            break;
        const uint32_t following = gather.following();
        // A descriptor that was given back already is not owned any more.
        if (following == first || following == gather.descriptor() || !owned(following)) {
            cutOff = true;
            break;
        }
        chain.push_back(gather.descriptor());
        gather.advance();
    }
    if (dry) // behind the last byte with ENP comes the FCS, which needs no memory
        dry = *outside.underflow < data.size() || !(window.word(gather.descriptor() + 2) & ENP);
    if (dry)
        data.resize(*outside.underflow);
    else if (!cutOff && (addFcs || !(mode & DTCR)))
        data = data + fcs(data);
    const bool inside = internalLoopback();
    Ending end = attempt(nibbles(data));
    if (end.error) {
        tx.index = start;
    } else {
        for (const uint32_t descriptor : chain)
            giveBack(descriptor, window.word(descriptor + 2) & 0x7F00);
        tx.index = gather.index;
        const bool chains = !(window.word(tx.descriptor() + 2) & ENP);
        if (data.size() > 1518)
            csr[0] |= BABL;
        // The next TMD1 was not read in time, or says that there is no more.
        if (dry || cutOff)
            end.error = UFLO | (chains ? +BUFF : 0);
        else if (outside.carrierLost && !inside)
            end.error = LCAR;
        if (end.error & UFLO)
            csr[0] &= ~TXON;
    }
    // CLSN is still there behind a collision that ended the frame.
    const bool answered = outside.sqeTest || end.error & (LCOL | RTRY);
    if (outside.heartbeatChecked && !answered && !inside)
        csr[0] |= CERR;
    if (end.error)
        window.chipWritesWord(tx.descriptor() + 6, end.error | end.position * 4);
    unsigned status = window.word(tx.descriptor() + 2) & (STP | ENP);
    status |= end.error ? +FAILED : 0;
    if (!(end.error & (LCOL | RTRY)) && end.collisions)
        status |= end.collisions == 1 ? ONE : MORE;
    status |= outside.deferred ? +DEF : 0;
    outside.deferred = outside.carrierLost = false;
    outside.underflow.reset();
    giveBack(tx.descriptor(), status);
    csr[0] |= TINT;
    tx.advance();
    if (inside && !(end.error & (RTRY | UFLO)))
        receive(data, false, false, true);
}

Chip::Ending Chip::attempt(const Bytes &whole) {
    const bool inside = internalLoopback();
    for (unsigned n = 0;; ++n) {
        std::optional<unsigned> hit;
        if (inside) {
            if (mode & COLL)
                hit = 0;
        } else if (outside.halfDuplex && !outside.collisions.empty()) {
            hit = outside.collisions.front();
            outside.collisions.pop_front();
        }
        if (!hit || *hit >= whole.size()) {
            if (!inside)
                sent.push_back(whole);
            return {n, 0, 0};
        }
        if (!inside) {
            const auto kept = whole.begin() + std::max(preambleNibbles, *hit + 1);
            sent.push_back(Bytes(whole.begin(), kept) + Bytes(jamNibbles, 0xF));
        }
        if (*hit >= slotNibbles)
            return {n, LCOL, *hit};
        if (mode & DRTY || n == attempts - 1)
            return {n, RTRY, *hit};
    }
}

// Receive

void Chip::pollReceive() {
    initialize();
    if (outside.dead && csr[0] & RXON && !owned(rx.descriptor()))
        memoryError();
}

void Chip::receive(const Bytes &data, bool dribble, bool spoilt, bool inside) {
    initialize();
    const bool loop = mode & LOOP;
    if (!(csr[0] & RXON) || (internalLoopback() && !inside) || data.size() < 6)
        return;
    const bool checks = !loop || mode & DTCR;
    if (!accepts(data, checks))
        return;
    if (outside.dead)
        return memoryError();
    if (!owned(rx.descriptor())) {
        csr[0] |= MISS;
        return;
    }
    const Bytes body(data.begin(), data.end() - 4), check(data.end() - 4, data.end());
    const bool bad = checks && (spoilt || fcs(body) != check);
    const auto overflow = outside.overflow;
    outside.overflow.reset();
    const bool over = overflow && overflow->taken < data.size();
    const std::size_t stored = over ? overflow->taken : data.size();
    std::size_t position = 0;
    unsigned first = STP;
    uint32_t descriptor = 0;
    bool full = false;
    for (;;) {
        descriptor = rx.descriptor();
        const auto [address, size] = buffer(descriptor);
        const auto piece = static_cast<unsigned>(std::min<std::size_t>(size, stored - position));
        window.chipWritesBytes(address, data.data() + position, piece, swaps());
        position += piece;
        full = piece == size;
        // The look-ahead comes when a buffer is full: after the silo has run over, too late.
        if (position == stored || (over && position >= overflow->inMemory))
            break;
        const uint32_t following = rx.following();
        const bool last = following == descriptor || !owned(following);
        giveBack(descriptor, last ? FAILED | RBUFF | first : first);
        rx.advance();
        first = 0;
        if (last) {
            csr[0] |= RINT;
            return;
        }
    }
    if (data.size() < 64 && !loop)
        return; // the descriptor is used again
    if (over) {
        giveBack(descriptor, FAILED | OFLO | (full ? +RBUFF : 0) | first);
    } else {
        window.chipWritesWord(descriptor + 6, data.size() & 0xFFF);
        giveBack(descriptor, first | ENP | (bad ? FAILED | CRC | (dribble ? +FRAM : 0) : 0));
    }
    rx.advance();
    csr[0] |= RINT;
}

bool Chip::accepts(const Bytes &data, bool groups) const {
    if (mode & PROM || std::all_of(&data[0], &data[6], [](uint8_t b) { return b == 0xFF; }))
        return true;
    if (data[0] & 1)
        return groups && logical_ >> (crc(data.data(), 6) >> 26) & 1;
    return std::equal(&data[0], &data[6], physical_);
}

} // namespace mcpi::lance_model
