// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <cstdint>

namespace mcpi {

/// Address bits that exist (docs/reference/contracts.md 2).
constexpr uint64_t physicalMask = (uint64_t{1} << 34) - 1;

} // namespace mcpi
