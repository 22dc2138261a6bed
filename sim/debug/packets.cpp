// SPDX-License-Identifier: BSD-2-Clause
#include "packets.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"

namespace mcpi::debug {
namespace {

constexpr char digits[] = "0123456789abcdef";
constexpr int nothing = -1, ctrlC = 3;

int valueOf(char digit) {
    const char *const found = digit ? std::strchr(digits, digit | 0x20) : nullptr;
    return found ? static_cast<int>(found - digits) : -1;
}

} // namespace

std::string toHex(const std::string &bytes) {
    std::string text;
    for (const char c : bytes) {
        text += digits[static_cast<uint8_t>(c) >> 4];
        text += digits[c & 15];
    }
    return text;
}

std::string fromHex(const std::string &text) {
    std::string bytes;
    for (std::size_t n = 0; n + 1 < text.size(); n += 2) {
        const int high = valueOf(text[n]), low = valueOf(text[n + 1]);
        if (high < 0 || low < 0)
            return {};
        bytes += static_cast<char>(high << 4 | low);
    }
    return bytes;
}

std::string littleEndian(uint64_t value) {
    std::string bytes(8, 0);
    std::memcpy(bytes.data(), &value, 8);
    return toHex(bytes);
}

Packets::Packets(const std::string &path) : path_(path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        throw UserError(path + ": too long for a socket; choose a folder with a shorter path.");
    std::memcpy(address.sun_path, path.data(), path.size());
    unlink(path.c_str());
    const int listening = socket(AF_UNIX, SOCK_STREAM, 0);
    if (listening < 0 || bind(listening, reinterpret_cast<sockaddr *>(&address), sizeof address) ||
        listen(listening, 1))
        throw UserError(path + ": no socket can be made there: " + std::strerror(errno) + ".");
    socket_ = accept(listening, nullptr, nullptr);
    close(listening);
    if (socket_ < 0)
        throw UserError(path + ": no debugger can connect: " + std::strerror(errno) + ".");
}

Packets::~Packets() {
    close(socket_);
    unlink(path_.c_str());
}

/// The next byte, or `nothing`.
int Packets::next(bool waits) {
    if (at_ == buffer_.size()) {
        char bytes[4096];
        const ssize_t count = recv(socket_, bytes, sizeof bytes, waits ? 0 : MSG_DONTWAIT);
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
            gone_ = true;
        if (count <= 0)
            return nothing;
        buffer_.assign(bytes, static_cast<std::size_t>(count));
        at_ = 0;
    }
    return static_cast<uint8_t>(buffer_[at_++]);
}

bool Packets::interrupted() {
    if (const int byte = next(false); byte == ctrlC)
        interrupted_ = true;
    else if (byte != nothing)
        --at_;
    const bool asked = interrupted_ || gone_;
    interrupted_ = false;
    return asked;
}

std::optional<std::string> Packets::receive() {
    for (;;) {
        int byte = next(true);
        while (byte != '$' && !gone_) {
            interrupted_ |= byte == ctrlC;
            byte = next(true);
        }
        std::string payload;
        unsigned sum = 0;
        for (byte = next(true); byte != '#' && !gone_; byte = next(true)) {
            sum += static_cast<unsigned>(byte);
            if (byte == '}') {
                byte = next(true);
                sum += static_cast<unsigned>(byte);
                byte ^= 0x20;
            }
            payload += static_cast<char>(byte);
        }
        const int high = next(true), low = next(true);
        if (gone_)
            return {};
        if (!acknowledges_)
            return payload;
        const bool right =
            valueOf(static_cast<char>(high)) * 16 + valueOf(static_cast<char>(low)) ==
            static_cast<int>(sum & 0xFF);
        write(right ? "+" : "-");
        if (right)
            return payload;
    }
}

void Packets::send(const std::string &payload) {
    unsigned sum = 0;
    for (const char c : payload)
        sum += static_cast<uint8_t>(c);
    char end[4];
    std::snprintf(end, sizeof end, "#%02x", sum & 0xFF);
    write("$" + payload + end);
}

void Packets::write(const std::string &text) {
    for (std::size_t sent = 0; sent < text.size() && !gone_;) {
        const ssize_t count = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        gone_ |= count < 0;
        sent += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
}

} // namespace mcpi::debug
