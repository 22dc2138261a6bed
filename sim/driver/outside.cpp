// SPDX-License-Identifier: BSD-2-Clause
#include "outside.h"

#include <cinttypes>
#include <iostream>
#include <sstream>

#include "error.h"
#include "medium.h"

namespace mcpi {
namespace {

constexpr unsigned fcsBytes = 4, preambleNibbles = 16, gapNibbles = 24;

std::vector<uint8_t> fromHex(const std::string &text) {
    std::vector<uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        bytes.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
    return bytes;
}

} // namespace

Outside::Outside(const Options &options)
    : options_(options), machine_(options.machine), info_(options.nodeJson) {
    Medium::wantFull(machine_, "--outside");
    wire_.nibbleTicks =
        4 * machine_.parameter("clock.ticks_per_us") / machine_.parameter("link.mbps");
    wire_.delayTicks = options.cable;
    wire_.phase = phaseFromSeed(options.seed, phaseWire, wire_.nibbleTicks);
    toOutside_ = std::make_unique<Line>(wire_);
    toNode_ = std::make_unique<Line>(wire_);
    port_ = std::make_unique<LinePort>(*toOutside_, *toNode_);
    program_ = readProgram(machine_, options, 0);
}

void Outside::prepare() {
    NodeConfig config;
    config.ramBytes = machine_.parameter("memory.size");
    config.backingBytes = options_.backingBytes ? options_.backingBytes : config.ramBytes;
    config.latency = options_.latency;
    config.exitAddress = machine_.base("io", "system") + machine_.offset("system", "console_exit");
    node_ = std::make_unique<Node>(config);
    link_ = std::make_unique<HostLink>(*node_);
    link_->ping();
    loadProgram(program_, *node_, *link_, options_.loadByLink);
    writeRegisters(machine_, info_, options_, 0, program_, *link_);
    node_->skipping = !options_.noSkip;
    if (options_.lockstep) {
        lockstep_ = std::make_unique<Lockstep>(machine_, 0, options_.reproduce);
        for (const auto &s : program_.segments)
            lockstep_->place(s);
        lockstep_->start();
        node_->lockstep = lockstep_.get();
    }
    link_->writeRegister(info_.number("run"), 1);
}

/// The frame begins now, or when the one before it and the gap have gone by.
void Outside::deliver(const std::string &hex) {
    std::vector<uint8_t> bytes = fromHex(hex);
    const uint32_t check = crc32(bytes.data(), bytes.size());
    for (unsigned i = 0; i < fcsBytes; ++i)
        bytes.push_back(static_cast<uint8_t>(check >> 8 * i));
    std::vector<uint8_t> nibbles(preambleNibbles - 1, 0x5);
    nibbles.push_back(0xD);
    for (const uint8_t b : bytes) {
        nibbles.push_back(b & 15);
        nibbles.push_back(b >> 4);
    }
    uint64_t tick = std::max(now_, free_);
    for (const uint8_t nibble : nibbles) {
        toNode_->send(tick, nibble, true, false);
        tick += wire_.nibbleTicks;
    }
    toNode_->send(tick, 0, false, false);
    toNode_->passed.clear();
    free_ = tick + gapNibbles * wire_.nibbleTicks;
}

void Outside::runUntil(uint64_t tick, std::ostream &out) {
    while (now_ < tick && !node_->exited() && toOutside_->passed.empty()) {
        const uint64_t quiet = node_->quietTicks(*port_) / toOutside_->lookahead() + 1;
        now_ = std::min(tick, now_ + quiet * toOutside_->lookahead());
        node_->advance(now_, *port_);
        checkHang();
    }
    link_->poll();
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
    out << "t " << now_ << ' ' << (node_->exited() ? static_cast<int>(node_->exitCode()) : -1)
        << ' ' << node_->instructions() << '\n';
}

void Outside::checkHang() {
    if (node_->exited() || now_ - node_->lastRetirement() < options_.hangTicks)
        return;
    throw RunError("node 0 hangs: nothing retired since tick " +
                   std::to_string(node_->lastRetirement()) + ".");
}

void Outside::command(const std::string &line, std::ostream &out) {
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
                value |= uint64_t{node_->backing.at(number + i)} << 8 * i;
            out << ' ' << value;
        }
        out << '\n';
    } else {
        throw UserError("--outside: '" + line + "': d HEX, r TICK or c ADDRESS COUNT is wanted.");
    }
    out.flush();
}

void Outside::run(std::istream &in, std::ostream &out) {
    prepare();
    try {
        for (std::string line; std::getline(in, line);)
            command(line, out);
    } catch (const RunError &) {
        if (lockstep_)
            std::cerr << lockstep_->recent();
        throw;
    }
    link_->poll();
    std::cerr << link_->console;
}

} // namespace mcpi
