// SPDX-License-Identifier: BSD-2-Clause
// Packets of GDB's remote protocol on a local socket: a payload between $ and #, with its sum.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace mcpi::debug {

std::string toHex(const std::string &bytes);
/// The bytes that hex digits name; empty if they name none.
std::string fromHex(const std::string &digits);
/// A register's or an address's value, lowest byte first.
std::string littleEndian(uint64_t value);

class Packets {
  public:
    /// Listen on a socket with this path and wait for the debugger. UserError if it cannot be made.
    explicit Packets(const std::string &path);
    ~Packets();
    Packets(const Packets &) = delete;

    /// The next packet; none: the debugger has gone.
    std::optional<std::string> receive();
    void send(const std::string &payload);
    /// The debugger's user has asked for a stop since the last packet.
    bool interrupted();
    /// From the next packet on nobody acknowledges.
    void noAcknowledgements() { acknowledges_ = false; }

  private:
    int next(bool waits);
    void write(const std::string &text);

    std::string path_, buffer_;
    std::size_t at_ = 0;
    int socket_ = -1;
    bool acknowledges_ = true, interrupted_ = false, gone_ = false;
};

} // namespace mcpi::debug
