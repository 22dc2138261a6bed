// SPDX-License-Identifier: BSD-2-Clause
#include "external_peer.h"

#include <iostream>
#include <sstream>

#include "base/error.h"
#include "hang.h"
#include "medium.h"

namespace mcpi {
namespace {

constexpr unsigned fcsBytes = 4, gapNibbles = 24;

std::vector<uint8_t> fromHex(const std::string &text) {
    std::vector<uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        bytes.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
    return bytes;
}

} // namespace

ExternalPeer::ExternalPeer(const Options &options, Station &station)
    : options_(options), station_(station) {
    const Machine machine(options.machine);
    Medium::wantFull(machine, "serve");
    options_.hangTicks = patience(options.hangTicks, machine);
    wire_.nibbleTicks =
        4 * machine.parameter("clock.ticks_per_us") / machine.parameter("link.mbps");
    wire_.delayTicks = options.cable;
    wire_.phase = phaseFromSeed(options.seed, phaseWire, wire_.nibbleTicks);
    toOutside_ = std::make_unique<Line>(wire_);
    toNode_ = std::make_unique<Line>(wire_);
    port_ = std::make_unique<LinePort>(*toOutside_, *toNode_);
}

/// The frame begins now, or when the one before it and the gap have gone by.
void ExternalPeer::deliver(const std::string &hex) {
    uint64_t tick = std::max(now_, free_);
    for (const uint8_t nibble : frameNibbles(withFcs(fromHex(hex)))) {
        toNode_->send(tick, nibble, true, false);
        tick += wire_.nibbleTicks;
    }
    toNode_->send(tick, 0, false, false);
    toNode_->passed.clear();
    free_ = tick + gapNibbles * wire_.nibbleTicks;
}

void ExternalPeer::runUntil(uint64_t tick, std::ostream &out) {
    while (now_ < tick && station_.exitCode(now_) < 0 && toOutside_->passed.empty()) {
        const uint64_t quiet = station_.quietTicks(*port_) / toOutside_->lookahead() + 1;
        now_ = std::min(tick, now_ + quiet * toOutside_->lookahead());
        station_.advance(now_, *port_);
        station_.checkHang(now_, options_.hangTicks);
    }
    station_.console();
    for (const auto &p : toOutside_->passed) {
        const auto bytes = frameBytes(p.nibbles);
        if (p.error || bytes.size() < fcsBytes)
            continue; // no station would take it either
        out << "f " << p.sentLast << ' ';
        for (std::size_t i = 0; i < bytes.size() - fcsBytes; ++i) {
            const char *digits = "0123456789abcdef";
            out << digits[bytes[i] >> 4] << digits[bytes[i] & 15];
        }
        out << '\n';
    }
    toOutside_->passed.clear();
    out << "t " << now_ << ' ' << station_.exitCode(now_) << ' ' << station_.issued() << '\n';
}

void ExternalPeer::command(const std::string &line, std::ostream &out) {
    std::istringstream words(line);
    std::string kind, rest;
    words >> kind;
    if (kind == "d" && words >> rest) {
        deliver(rest);
        return;
    }
    uint64_t number = 0, count = 0;
    if (kind == "r" && words >> number) {
        runUntil(number, out);
    } else if (kind == "c" && words >> std::hex >> number >> std::dec >> count) {
        out << 'c';
        for (; count; --count, number += 8) {
            uint64_t value = 0;
            for (unsigned i = 0; i < 8; ++i)
                value |= uint64_t{station_.byteAt(number + i)} << 8 * i;
            out << ' ' << value;
        }
        out << '\n';
    } else {
        throw UserError("serve: '" + line + "': d HEX, r TICK or c ADDRESS COUNT is wanted.");
    }
    out.flush();
}

void ExternalPeer::run(std::istream &in, std::ostream &out) {
    try {
        for (std::string line; std::getline(in, line);)
            command(line, out);
    } catch (const RunError &) {
        std::cerr << station_.recent();
        throw;
    }
    std::cerr << station_.console();
}

} // namespace mcpi
