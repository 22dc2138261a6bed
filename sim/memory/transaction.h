// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <cstdint>

namespace mcpi::memory {

constexpr uint64_t never = ~uint64_t{0};

/// Purpose of a core's request to the memory after its caches.
enum class Purpose : uint8_t { load, demand, prefetch, write, nobody };

} // namespace mcpi::memory
