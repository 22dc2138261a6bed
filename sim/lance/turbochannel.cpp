// SPDX-License-Identifier: BSD-2-Clause
#include "turbochannel.h"

#include <algorithm>

namespace mcpi::exact {
namespace {

constexpr uint64_t sparseHalf = 0x10000000, offsetMask = 0x0FFFFFFF;

/// Bytes of a piece that a burst writes.
uint16_t bytesOf(const Burst &b) {
    return static_cast<uint16_t>(((1u << 4 * b.longwords) - 1) << b.address % 16) & b.bytes;
}

bool fillsPiece(const Burst &b) {
    return b.address % 16 + 4 * b.longwords == 16;
}

} // namespace

void TcHost::begin(uint64_t tick, const Access &access, bool empty) {
    access_ = Stage::waits;
    what_ = access;
    empty_ = empty;
    sparse_ = access.address & sparseHalf;
    beat_ = 0;
    beats_ = !sparse_ && (!access.write || access.quad) ? 2 : 1;
    from_ = edge(tick + 1);
    answer_ = never;
    value_ = 0;
    failed_ = conflicts_ = retries_ = false;
}

uint64_t TcHost::take(bool &failed) {
    failed = failed_;
    access_ = Stage::none;
    return value_;
}

void TcHost::request(uint64_t tick, const Burst &burst) {
    wants_ = true;
    burst_ = burst;
    raised_ = edge(tick);
}

void TcHost::letGo(uint64_t tick, const Burst &burst, TcOption &option) {
    if (wants_ && tick <= raised_) { // nobody has seen it
        wants_ = false;
        option.burstDone(tick, burst_, false);
    } else if (wants_ && burst_.write) {
        burst_.longwords = 0;
    } else if (wants_) {
        burst_.address = burst.address;
    } else if (requestAt_ != never && !writing_.write) {
        if (tick < acknowledged_ + cycle_)
            writing_.address = burst_.address = option.window() + burst.address;
    } else if (posted_ && requestAt_ != never) {
        const uint64_t since = (edge(tick) - acknowledged_) / cycle_;
        const auto written = static_cast<unsigned>(since > 2 ? since - 2 : 0);
        if (written >= writing_.longwords)
            return;
        writing_.longwords = written;
        write(option);
    }
}

uint64_t TcHost::next() const {
    uint64_t first = requestAt_;
    if (free_ != never && access_ == Stage::waits)
        first = std::min(first, std::max(free_, from_));
    if (free_ != never && wants_ && !posted_)
        first = std::min(first, std::max({free_, raised_ + cycle_, edge(written_)}));
    if (driven_ != line_ && (!posted_ || settles_ < posts_))
        first = std::min(first, settles_);
    if (access_ == Stage::selected)
        first = std::min(first, act_);
    return first;
}

void TcHost::at(uint64_t tick, TcOption &option, DmaMemory &memory) {
    if (requestAt_ == tick) {
        requestAt_ = never;
        if (writing_.longwords == 0)
            memoryWritten(tick);
        else
            memory.request(tick, writing_, bytesOf(writing_));
    }
    if (tick != edge(tick))
        return;
    if (access_ == Stage::selected && act_ == tick)
        selected(tick, option);
    if (free_ <= tick)
        decide(tick, option);
}

/// Choose who gets the bus: DMA, but an access that waits goes after a burst.
void TcHost::decide(uint64_t edge, TcOption &option) {
    const bool burst = wants_ && !posted_ && edge >= std::max(raised_ + cycle_, written_);
    const bool access = access_ == Stage::waits && edge >= from_;
    if (burst && !(access && after_ && !conflicts_)) {
        acknowledge(edge, option);
    } else if (access) {
        access_ = Stage::selected;
        start_ = edge;
        act_ = edge + cycle_;
        free_ = never;
        after_ = false;
    }
}

void TcHost::acknowledge(uint64_t edge, TcOption &option) {
    wants_ = conflicts_ = false;
    after_ = true;
    burst_.address += option.window();
    writing_ = burst_;
    free_ = never;
    acknowledged_ = edge;
    if (!burst_.write) {
        requestAt_ = edge + cycles(2) + 1;
        return;
    }
    posted_ = true;
    posts_ = edge + cycles(2) + 2;
    write(option);
}

/// The longwords of a burst into memory; without any nothing is written.
void TcHost::write(TcOption &option) {
    const uint64_t last = acknowledged_ + cycles(1 + writing_.longwords);
    option.burstDone(last + cycles(1) + 1, writing_, false);
    ends_ = last + cycles(2);
    free_ = ends_ + cycle_;
    requestAt_ = last + cycles(fillsPiece(writing_) ? 1 : 2) + (writing_.longwords ? 2 : 0);
}

void TcHost::memoryRead(uint64_t tick, const std::array<uint8_t, 16> &piece, bool failed,
                        TcOption &option) {
    burst_.data = piece;
    const uint64_t first = edge(tick + 1), more = cycles(burst_.longwords - 1);
    if (failed) {
        fault.set(false, slot_, burst_.address);
        option.burstDone(first + 1, burst_, true);
        free_ = first + cycles(2);
        return;
    }
    const auto there = static_cast<unsigned>((16 - burst_.address % 16) / 4);
    if (there < burst_.longwords) { // the rest is in the next piece
        burst_.address += uint64_t{4} * there;
        burst_.longwords -= there;
        writing_ = burst_;
        requestAt_ = first + cycles(there + 1) + 1;
        return;
    }
    option.burstDone(first + cycles(1) + 1 + more, burst_, false);
    free_ = first + cycles(3) + more;
}

/// The option sees an error at the next edge; up to there its data count as posted.
void TcHost::memoryWritten(uint64_t tick, bool failed) {
    if (failed) {
        fault.set(false, slot_, writing_.address + 4 * writing_.longwords);
        writing_.longwords = 0;
        requestAt_ = edge(std::max(tick, ends_) + 1);
        return;
    }
    posted_ = false;
    if (access_ == Stage::answered && answer_ == never)
        answer(std::max(done_, tick));
    written_ = std::max(tick, ends_) + 1; // fast memory has them before the bus is done with them
    settles_ = written_ + 1;
}

/// The access is over.
void TcHost::answer(uint64_t tick) {
    answer_ = tick;
    free_ = edge(tick + 1);
}

void TcHost::drive(uint64_t tick, bool line) {
    driven_ = line;
    if (!still(tick))
        line_ = line;
}

uint32_t TcHost::offset() const {
    const uint64_t in = what_.address & offsetMask;
    if (sparse_)
        return static_cast<uint32_t>(in / 2) & ~3u;
    return static_cast<uint32_t>(beats_ == 2 ? (in & ~7u) + 4 * beat_ : in & ~3u);
}

void TcHost::selected(uint64_t edge, TcOption &option) {
    if (empty_) {
        if (edge < start_ + cycles(timeout_ - 1)) {
            act_ = start_ + cycles(timeout_ - 1);
            return;
        }
        fault.set(true, what_.address >> 29 & 7, what_.address);
        failed_ = true;
        access_ = Stage::answered;
        answer_ = edge;
        free_ = edge + cycle_;
        return;
    }
    if (edge == start_ + cycle_) {
        act_ = edge + cycle_;
        if (wants_ && raised_ <= start_ && !retries_) { // the option wants the bus first
            access_ = Stage::waits;
            conflicts_ = retries_ = true;
            from_ = free_ = start_ + cycles(3);
        } else {
            retries_ = false;
            option.access(edge + 1, offset(), what_.write, written(), mask());
        }
        return;
    }
    if (!option.ready(edge, offset(), what_.write, (edge - start_) / cycle_)) {
        act_ = edge + cycle_;
        return;
    }
    beat(edge, option);
    const uint64_t done = edge + cycle_;
    if (++beat_ < beats_) {
        access_ = Stage::waits;
        from_ = free_ = done + cycles(2);
        return;
    }
    access_ = Stage::answered;
    done_ = done;
    if (!posted_)
        answer(done);
}

void TcHost::beat(uint64_t edge, TcOption &option) {
    if (what_.write)
        option.write(edge, offset(), written(), mask());
    else
        value_ |= uint64_t{option.read(edge, offset())} << 32 * beat_;
}

} // namespace mcpi::exact
