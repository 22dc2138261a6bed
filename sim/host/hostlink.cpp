// SPDX-License-Identifier: BSD-2-Clause
#include "hostlink.h"

#include <algorithm>

#include "base/error.h"
#include "link/frame.h"

namespace mcpi {
namespace {

enum Opcode : uint8_t {
    opPing = 0x01,
    opWriteRam = 0x10,
    opReadRam = 0x11,
    opWriteRegister = 0x20,
    opReadRegister = 0x21,
    opConsole = 0x40
};
constexpr std::size_t chunk = 1024; // bytes of RAM in one request
constexpr unsigned tries = 5;
constexpr unsigned silence = 64; // calls of `idle` in which a byte on its way comes

} // namespace

void HostLink::begin(uint8_t opcode) {
    request_.assign(1, opcode);
}

void HostLink::put(uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
        request_.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

/// Send the request, and its CRC.
void HostLink::flush() {
    put(crc32(request_.data(), request_.size()), 4);
    for (uint8_t byte : request_)
        link_.send(byte);
    request_.clear();
}

uint8_t HostLink::next() {
    uint8_t byte;
    for (uint64_t n = 0; !link_.receive(byte); ++n) {
        if (n == patience_)
            throw RunError("host link: the node does not answer.");
        link_.idle();
    }
    reply_.push_back(byte);
    return byte;
}

uint64_t HostLink::get(unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
        value |= uint64_t{next()} << (8 * i);
    return value;
}

/// The first byte of a reply; what the guest prints may come in front of it.
void HostLink::expect(uint8_t opcode) {
    if (inConsole_)
        console.push_back(static_cast<char>(next()));
    inConsole_ = false;
    uint8_t byte;
    for (uint64_t printed = 0; (byte = next()) == opConsole; ++printed) {
        if (printed == patience_)
            throw RunError("host link: the guest prints, and the node does not answer.");
        console.push_back(static_cast<char>(next()));
    }
    if (byte != opcode)
        throw RunError("host link: reply " + std::to_string(byte) + " to request " +
                       std::to_string(opcode) + ".");
    reply_.assign(1, byte);
}

/// The CRC at a reply's end, of all that came since `expect`.
void HostLink::checkReply() {
    const uint32_t wanted = crc32(reply_.data(), reply_.size());
    if (get(4) != wanted)
        throw RunError("host link: wrong CRC in a reply.");
}

unsigned HostLink::ping() {
    link_.send(opPing);
    expect(opPing);
    for (char wanted : {'m', 'C', 'P', 'I'})
        if (next() != static_cast<uint8_t>(wanted))
            throw RunError("host link: no mCPI node.");
    return next();
}

void HostLink::writeRam(uint64_t address, const std::vector<uint8_t> &bytes) {
    for (std::size_t done = 0; done < bytes.size(); done += chunk) {
        const std::size_t size = std::min(chunk, bytes.size() - done), padded = (size + 7) & ~7ul;
        for (unsigned n = 0;; ++n) {
            begin(opWriteRam);
            put(address + done, 4);
            put(padded, 2);
            flush();
            const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(done);
            request_.insert(request_.end(), from, from + static_cast<std::ptrdiff_t>(size));
            request_.resize(padded);
            flush();
            expect(opWriteRam);
            if (next() == 0)
                break;
            ++retries;
            if (n + 1 == tries)
                throw RunError("host link: a block arrived broken too often.");
        }
    }
}

std::vector<uint8_t> HostLink::readRam(uint64_t address, std::size_t size) {
    std::vector<uint8_t> bytes;
    while (bytes.size() < size) {
        const std::size_t part = std::min(chunk, size - bytes.size());
        begin(opReadRam);
        put(address + bytes.size(), 4);
        put(part, 2);
        flush();
        expect(opReadRam);
        for (std::size_t i = 0; i < part; ++i)
            bytes.push_back(next());
        checkReply();
    }
    return bytes;
}

void HostLink::writeRegister(unsigned number, uint64_t value) {
    begin(opWriteRegister);
    put(number, 2);
    put(value, 8);
    flush();
    expect(opWriteRegister);
}

uint64_t HostLink::readRegister(unsigned number) {
    begin(opReadRegister);
    put(number, 2);
    flush();
    expect(opReadRegister);
    const uint64_t value = get(8);
    checkReply();
    return value;
}

bool HostLink::poll() {
    uint8_t byte;
    bool any = false;
    for (; link_.receive(byte); any = true) {
        if (inConsole_)
            console.push_back(static_cast<char>(byte));
        else if (byte != opConsole)
            throw RunError("host link: unasked byte " + std::to_string(byte) + ".");
        inConsole_ = !inConsole_;
    }
    return any;
}

void HostLink::drain() {
    for (unsigned silent = 0; silent < silence; ++silent) {
        link_.idle();
        if (poll())
            silent = 0;
    }
}

} // namespace mcpi
