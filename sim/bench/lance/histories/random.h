// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <cstdint>
#include <initializer_list>

#include "window.h"

namespace mcpi::histories {

/// splitmix64: the same numbers everywhere for the same seed.
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t bits() {
        uint64_t z = state_ += 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return z ^ z >> 31;
    }
    uint32_t below(uint32_t end) { return static_cast<uint32_t>(bits() >> 32) % end; }
    uint32_t between(uint32_t low, uint32_t high) { return low + below(high - low + 1); }
    bool chance(double probability) { return bits() >> 11 < probability * 9007199254740992.0; }
    template <typename T> T pick(std::initializer_list<T> of) {
        return of.begin()[below(static_cast<uint32_t>(of.size()))];
    }
    Bytes bytes(std::size_t size) {
        Bytes data(size);
        for (auto &byte : data)
            byte = static_cast<uint8_t>(bits());
        return data;
    }

  private:
    uint64_t state_;
};

} // namespace mcpi::histories
