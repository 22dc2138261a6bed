// SPDX-License-Identifier: BSD-2-Clause
#include "wire.h"

#include <array>
#include <string>

#include "error.h"

namespace mcpi {

Line::Line(const LineConfig &config) : config_(config) {
    if (config.nibbleTicks == 0 || config.phase >= config.nibbleTicks)
        throw UserError("wire: the phase must lie below the ticks of a nibble.");
}

void Line::send(uint64_t tick, uint8_t data, bool enable, bool error) {
    const uint64_t nibble = config_.nibbleTicks;
    if (!enable) {
        if (sending_) {
            current_.sentLast = lastSent_ + nibble;
            current_.receivedLast = nextDue_;
            passed.push_back(std::move(current_));
            sending_ = false;
        }
        return;
    }
    if (!sending_) {
        sending_ = true;
        const uint64_t earliest = tick + nibble + config_.delayTicks;
        const uint64_t onGrid = earliest + (config_.phase + nibble - earliest % nibble) % nibble;
        if (onGrid < nextDue_ + nibble && nextDue_ != 0)
            throw RunError("wire: a frame followed the one before it without any gap.");
        nextDue_ = onGrid;
        current_ = Passage{};
        current_.sentFirst = tick;
        current_.receivedFirst = onGrid;
    } else if (tick != lastSent_ + nibble) {
        throw RunError("wire: transmit strobes " + std::to_string(tick - lastSent_) +
                       " ticks apart, " + std::to_string(nibble) + " are wanted.");
    }
    lastSent_ = tick;
    current_.nibbles.push_back(data & 15);
    current_.error |= error;
    due_.push_back({nextDue_, {static_cast<uint8_t>(data & 15), true, error}});
    nextDue_ += nibble;
}

Nibble Line::receive(uint64_t now) {
    Nibble nibble;
    if (!due_.empty() && due_.front().tick == now) {
        nibble = due_.front().nibble;
        due_.pop_front();
    }
    receiving_ = nibble.valid;
    lastStrobe_ = now;
    return nibble;
}

uint64_t Line::nextStrobe(uint64_t now) const {
    const uint64_t next = receiving_     ? lastStrobe_ + config_.nibbleTicks
                          : due_.empty() ? never
                                         : due_.front().tick;
    if (next < now)
        throw RunError("wire: a nibble was delivered too late.");
    return next;
}

std::vector<uint8_t> frameBytes(const std::vector<uint8_t> &nibbles) {
    std::size_t i = 0;
    while (i < nibbles.size() && nibbles[i] == 0x5)
        ++i;
    if (i == nibbles.size() || nibbles[i] != 0xD || (nibbles.size() - ++i) % 2)
        return {};
    std::vector<uint8_t> bytes;
    for (; i < nibbles.size(); i += 2)
        bytes.push_back(static_cast<uint8_t>(nibbles[i] | nibbles[i + 1] << 4));
    return bytes;
}

uint32_t crc32(const uint8_t *bytes, std::size_t size) {
    static const auto table = [] {
        std::array<uint32_t, 256> t{};
        for (uint32_t i = 0; i < 256; ++i) {
            uint32_t c = i;
            for (int k = 0; k < 8; ++k)
                c = c & 1 ? 0xEDB88320 ^ c >> 1 : c >> 1;
            t[i] = c;
        }
        return t;
    }();
    uint32_t crc = ~0u;
    for (std::size_t i = 0; i < size; ++i)
        crc = table[(crc ^ bytes[i]) & 0xFF] ^ crc >> 8;
    return ~crc;
}

} // namespace mcpi
