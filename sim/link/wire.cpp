// SPDX-License-Identifier: BSD-2-Clause
#include "wire.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "faults.h"

namespace mcpi {

namespace {

constexpr uint64_t spacingNibbles = 24; // 9.6 us, sources/lance.md 1.4

} // namespace

Line::Line(const LineConfig &config) : config_(config) {
    if (config.nibbleTicks == 0 || config.phase >= config.nibbleTicks)
        throw UserError("wire: the phase must lie below the ticks of a nibble.");
}

void Line::suffer(std::unique_ptr<Faults> faults) {
    faults_ = std::move(faults);
    for (const auto &injection : faults_->injections) {
        Passage passage;
        passage.nibbles = injection.nibbles;
        wait({onGrid(injection.tick), false, std::move(passage), false});
    }
}

/// The receiver's strobe at `tick`, or the first after it.
uint64_t Line::onGrid(uint64_t tick) const {
    const uint64_t nibble = config_.nibbleTicks;
    return tick + (config_.phase + nibble - tick % nibble) % nibble;
}

/// From when on the receiver's side may have another frame.
uint64_t Line::free() const {
    return nextDue_ == 0 ? 0 : nextDue_ + spacingNibbles * config_.nibbleTicks;
}

/// A frame's first bit is sent in `tick`.
void Line::begin(uint64_t tick) {
    const uint64_t nibble = config_.nibbleTicks;
    uint64_t arrival = onGrid(tick + nibble + config_.delayTicks);
    sending_ = true;
    current_ = Passage{};
    current_.sentFirst = tick;
    if (!faults_) {
        if (arrival < nextDue_ + nibble && nextDue_ != 0)
            throw RunError("wire: a frame followed the one before it without any gap.");
    } else {
        const Fault fault = faults_->of(frames_++);
        deliverUpTo(arrival, false);
        arrival = std::max(arrival, free());
        if (fault.delay) {
            ++counts.delayed;
            arrival = onGrid(arrival + fault.delay);
        }
        current_.lost = fault.lose;
        counts.lost += fault.lose;
        corruptAt_ = fault.corrupt;
        duplicate_ = fault.duplicate && !fault.lose;
        reorder_ = fault.reorder && !fault.lose;
    }
    current_.receivedFirst = nextDue_ = arrival;
}

void Line::end() {
    sending_ = false;
    current_.sentLast = lastSent_ + config_.nibbleTicks;
    current_.receivedLast = nextDue_;
    if (faults_ && current_.lost) {
        current_.receivedFirst = current_.receivedLast = 0;
        nextDue_ = lastArrived_;
    }
    const bool reorder = faults_ && reorder_;
    if (faults_ && corruptAt_ != Fault::none)
        ++counts.corrupted;
    if (reorder) {
        ++counts.reordered;
        nextDue_ = lastArrived_;
    } else {
        passed.push_back(current_);
        if (!current_.lost)
            lastArrived_ = nextDue_;
    }
    if (!faults_)
        return;
    deliverUpTo(nextDue_, true); // what waited for this frame comes after it
    if (reorder)
        wait({onGrid(current_.sentLast + faults_->patience), true, current_, true});
    if (duplicate_) {
        ++counts.duplicated;
        wait({onGrid(current_.sentLast + config_.delayTicks + config_.nibbleTicks), false, current_,
              false});
        if (!reorder)
            deliverUpTo(nextDue_ + spacingNibbles * config_.nibbleTicks, false);
    }
}

void Line::wait(Waiting waiting) {
    const auto at = std::find_if(waiting_.begin(), waiting_.end(),
                                 [&](const Waiting &w) { return w.tick > waiting.tick; });
    waiting_.insert(at, std::move(waiting));
}

void Line::deliver(Waiting &w) {
    w.passage.receivedFirst = nextDue_ = onGrid(std::max(w.tick, free()));
    for (const uint8_t nibble : w.passage.nibbles) {
        due_.push_back({nextDue_, {nibble, true, w.passage.error}});
        nextDue_ += config_.nibbleTicks;
    }
    w.passage.receivedLast = lastArrived_ = nextDue_;
    if (w.passes)
        passed.push_back(std::move(w.passage));
    else
        ++counts.injected;
}

/// Deliver the frames that wait for a tick up to `tick`, and, `afterNext`, those that waited for
/// another frame.
void Line::deliverUpTo(uint64_t tick, bool afterNext) {
    for (bool again = true; again;) {
        again = false;
        for (std::size_t i = 0; i < waiting_.size() && !again; ++i) {
            if (!(waiting_[i].tick <= tick || (afterNext && waiting_[i].afterNext)))
                continue;
            Waiting w = std::move(waiting_[i]);
            waiting_.erase(waiting_.begin() + static_cast<long>(i));
            if (w.afterNext && afterNext) // which may have been lost, long after the last arrival
                w.tick = lastSent_ + config_.nibbleTicks + lookahead();
            deliver(w);
            again = true;
        }
    }
}

void Line::send(uint64_t tick, uint8_t data, bool enable, bool error) {
    const uint64_t nibble = config_.nibbleTicks;
    if (!enable) {
        if (sending_)
            end();
        return;
    }
    if (!sending_)
        begin(tick);
    else if (tick != lastSent_ + nibble)
        throw RunError("wire: transmit strobes " + std::to_string(tick - lastSent_) +
                       " ticks apart, " + std::to_string(nibble) + " are wanted.");
    lastSent_ = tick;
    data &= 15;
    current_.error |= error;
    // The preamble is spared, so that the frame is there to be wrong.
    if (faults_ && corruptAt_ != Fault::none && current_.nibbles.size() == 16 + corruptAt_ % 104)
        data ^= static_cast<uint8_t>(1u << corruptAt_ / 104 % 4);
    current_.nibbles.push_back(data);
    if (!(faults_ && (current_.lost || reorder_)))
        due_.push_back({nextDue_, {data, true, error}});
    nextDue_ += nibble;
}

Nibble Line::receive(uint64_t now) {
    if (!receiving_ && due_.empty() && !sending_ && !waiting_.empty() && nextStrobe(now) == now)
        deliverUpTo(now, false);
    Nibble nibble;
    if (!due_.empty() && due_.front().tick == now) {
        nibble = due_.front().nibble;
        due_.pop_front();
    }
    receiving_ = nibble.valid;
    lastStrobe_ = now;
    return nibble;
}

uint64_t Line::since() const {
    uint64_t first = sending_ ? current_.sentFirst : never;
    for (const Waiting &waiting : waiting_)
        if (waiting.passes)
            first = std::min(first, waiting.passage.sentFirst);
    return first;
}

uint64_t Line::nextStrobe(uint64_t now) const {
    uint64_t next = never;
    if (receiving_)
        next = lastStrobe_ + config_.nibbleTicks;
    else if (!due_.empty())
        next = due_.front().tick;
    else if (!waiting_.empty() && !sending_)
        next = std::max(waiting_.front().tick, onGrid(free()));
    if (next < now)
        throw RunError("wire: a nibble was delivered too late.");
    return next;
}

} // namespace mcpi
