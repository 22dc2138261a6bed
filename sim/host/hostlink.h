// SPDX-License-Identifier: BSD-2-Clause
// Host side of the host link (contracts.md 5): bytes in, bytes out, outside virtual time.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace mcpi {

/// Where the bytes go and come from. `idle` runs the node until there may be a new byte.
class ByteLink {
  public:
    virtual ~ByteLink() = default;
    virtual void send(uint8_t byte) = 0;
    virtual bool receive(uint8_t &byte) = 0;
    virtual void idle() = 0;
};

/// Requests, each of which waits for its reply. RunError when the node answers something else, or
/// nothing within `patience` calls of `idle` or bytes of the guest's.
class HostLink {
  public:
    explicit HostLink(ByteLink &link, uint64_t patience = 1000000)
        : link_(link), patience_(patience) {}

    /// Version of the node's link; RunError when it is not an mCPI node.
    unsigned ping();
    /// `bytes` is padded with zeros to a multiple of 8; blocks with a wrong CRC are sent again.
    void writeRam(uint64_t address, const std::vector<uint8_t> &bytes);
    /// `size` is a multiple of 8.
    std::vector<uint8_t> readRam(uint64_t address, std::size_t size);
    void writeRegister(unsigned number, uint64_t value);
    uint64_t readRegister(unsigned number);
    /// Take in unasked bytes that are there; call now and then while the guest runs. False: none.
    bool poll();
    /// Take in all that the guest has printed: until no byte comes any more.
    void drain();

    std::string console; ///< what the guest printed so far
    unsigned retries = 0;

  private:
    void begin(uint8_t opcode);
    void put(uint64_t value, unsigned bytes);
    void flush();
    uint8_t next();
    uint64_t get(unsigned bytes);
    void expect(uint8_t opcode);
    void checkReply();

    ByteLink &link_;
    bool inConsole_ = false; ///< a byte of the guest's comes next
    uint64_t patience_;
    std::vector<uint8_t> request_, reply_;
};

} // namespace mcpi
