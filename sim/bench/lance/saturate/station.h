// SPDX-License-Identifier: BSD-2-Clause
// A station of the segment: a chip, its memory, and a driver that keeps its transmit ring full.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "lib/lance/lance.h"

namespace mcpi::saturate {

using Bytes = std::vector<uint8_t>;

/// A frame and what its sender's descriptor said of it.
struct Report {
    uint32_t frame;
    unsigned status, error; ///< TMD1 and, with ERR, TMD3
};

class Station {
  public:
    Station(lance_config config, unsigned number);
    ~Station();
    Station(const Station &) = delete;

    /// Six bytes, first wire byte first.
    static std::array<uint8_t, 6> address(unsigned number);

    /// Init block, rings, INIT, STRT.
    void start();
    bool hasRoom() const { return queued_ < entries; }
    /// Into the ring; the chip sees it at its next look.
    void send(uint32_t frame, const Bytes &data);
    void demand();
    /// Answers the interrupt, if there is one.
    void serve();
    unsigned queued() const { return queued_; }

    std::function<void(const Report &)> onSent;
    std::function<void(const Bytes &data, unsigned status)> onReceived; ///< without FCS; RMD1
    unsigned missed = 0, csrErrors = 0; ///< MISS; CSR0 with BABL, CERR or MERR

    lance *chip = nullptr;

  private:
    static constexpr unsigned entries = 16;
    void write(uint32_t offset, unsigned value);
    unsigned readCsr0();
    unsigned word(uint32_t a) const { return memory_[at(a)] | memory_[at(a) + 1] << 8; }
    void setWord(uint32_t a, unsigned value);
    static uint32_t at(uint32_t a) { return window + 2 * a; }
    uint8_t &byte(uint32_t a) { return memory_[window + a / 16 * 32 + a % 16]; }
    void collectSent();
    void collectReceived();

    static constexpr uint32_t window = 0x20000;
    unsigned number_;
    Bytes memory_;
    unsigned put_ = 0, sent_ = 0, received_ = 0, queued_ = 0;
    std::array<uint32_t, entries> frames_{};
};

} // namespace mcpi::saturate
