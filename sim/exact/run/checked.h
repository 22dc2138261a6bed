// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "testbed/options.h"

namespace mcpi::exact {

/// The same options. UserError names one that the engine has not: it approximates and ignores none.
const Options &checked(const Options &options);

} // namespace mcpi::exact
