// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <cstdint>

namespace mcpi::memory {

constexpr uint64_t never = ~uint64_t{0};

/// What a core wants of the memory behind its caches.
enum class For : uint8_t { load, demand, prefetch, write, nobody };

} // namespace mcpi::memory
