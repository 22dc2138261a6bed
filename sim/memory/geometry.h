// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/machine.h"
#include "trace.h"

namespace mcpi::memory {

/// A machine file's memory side.
Geometry geometry(const Machine &machine);

} // namespace mcpi::memory
