// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "testbed/options.h"

namespace CLI {
class App;
}

namespace mcpi::exact {

struct CoresOptions;

/// The same options. UserError names one that the engine has not: it approximates and ignores none.
const Options &checked(const Options &options);
/// Options of a node that runs alone, of one core or several.
void addOptions(CLI::App &app, CoresOptions &options);

} // namespace mcpi::exact
