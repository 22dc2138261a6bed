// SPDX-License-Identifier: BSD-2-Clause
#include "switch.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mcpi {
namespace {

constexpr std::size_t shortestFrame = 64, longestFrame = 1518; // bytes, with the check sequence
constexpr uint64_t nibblesApart = 24;                          // 9.6 us at 10 Mb/s, as of a Line

/// Six bytes of the frame as a number; the first byte on the wire is the lowest.
uint64_t station(const std::vector<uint8_t> &bytes, std::size_t from) {
    uint64_t address = 0;
    for (unsigned n = 0; n < 6; ++n)
        address |= uint64_t{bytes[from + n]} << 8 * n;
    return address;
}

bool isGroup(uint64_t address) {
    return address & 1;
}

bool isWhole(const std::vector<uint8_t> &bytes) {
    return bytes.size() >= shortestFrame && bytes.size() <= longestFrame &&
           withFcs({bytes.begin(), bytes.end() - 4}) == bytes;
}

} // namespace

void Switch::attach(Line &out, Line &in) {
    Port port;
    port.out = &out;
    port.in = &in;
    ports_.push_back(std::move(port));
}

/// The tick in which the port sends next.
uint64_t Switch::sends(const Port &port) const {
    if (port.sending)
        return port.at;
    return port.queue.empty() ? Line::never : std::max(port.at, port.queue.front().ready);
}

uint64_t Switch::next(uint64_t now) const {
    uint64_t first = Line::never;
    for (const Port &port : ports_)
        first = std::min({first, port.in->nextStrobe(now), std::max(now, sends(port))});
    return first;
}

void Switch::advance(uint64_t until) {
    for (uint64_t tick; (tick = next(now_)) < until; now_ = tick + 1) {
        for (std::size_t n = 0; n < ports_.size(); ++n)
            if (ports_[n].in->nextStrobe(tick) == tick)
                receive(n, tick);
        for (Port &port : ports_)
            if (sends(port) <= tick)
                send(port, tick);
    }
    now_ = until;
}

bool Switch::empty() const {
    return std::all_of(ports_.begin(), ports_.end(), [](const Port &port) {
        return port.received.empty() && port.queue.empty() && !port.sending;
    });
}

void Switch::receive(std::size_t port, uint64_t tick) {
    Port &from = ports_[port];
    const Nibble nibble = from.in->receive(tick);
    if (nibble.valid) {
        from.received.push_back(nibble.data);
        from.error |= nibble.error;
    } else {
        received(port, tick);
        from.received.clear();
        from.error = false;
    }
}

/// The frame is whole.
void Switch::received(std::size_t port, uint64_t tick) {
    const std::vector<uint8_t> bytes = frameBytes(ports_[port].received);
    if (ports_[port].error || !isWhole(bytes)) {
        ++counts.damaged;
        return;
    }
    const uint64_t destination = station(bytes, 0), source = station(bytes, 6);
    if (!isGroup(source))
        stations_[source] = port;
    const auto known = stations_.find(destination); // no group is ever there
    const auto frame = std::make_shared<const std::vector<uint8_t>>(frameNibbles(bytes));
    if (known == stations_.end()) {
        ++counts.flooded;
        for (std::size_t n = 0; n < ports_.size(); ++n)
            if (n != port)
                put(ports_[n], tick, frame);
    } else if (known->second == port) {
        ++counts.filtered;
    } else {
        ++counts.forwarded;
        put(ports_[known->second], tick, frame);
    }
}

void Switch::put(Port &port, uint64_t tick, const Nibbles &frame) {
    if (port.queue.size() < config_.queue)
        port.queue.push_back({tick + config_.latencyTicks, frame});
    else
        ++counts.dropped;
}

/// A nibble of the frame on the wire, the end of the frame, or the first nibble of the next.
void Switch::send(Port &port, uint64_t tick) {
    if (!port.sending) {
        port.sending = port.queue.front().frame;
        port.queue.pop_front();
        port.sent = 0;
    }
    if (port.sent < port.sending->size()) {
        port.out->send(tick, (*port.sending)[port.sent++], true, false);
        port.at = tick + config_.nibbleTicks;
    } else {
        port.out->send(tick, 0, false, false);
        port.sending = nullptr;
        port.at = tick + nibblesApart * config_.nibbleTicks;
    }
}

} // namespace mcpi
