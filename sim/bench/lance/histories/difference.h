// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdexcept>

#include "base/text.h"

namespace mcpi::histories {

/// The cards do not agree, or the RTL broke a rule.
struct Difference : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace mcpi::histories
