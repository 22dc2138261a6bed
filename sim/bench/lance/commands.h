// SPDX-License-Identifier: BSD-2-Clause
// Commands of lance-bench: each function adds its command, which leaves its exit status.
#pragma once

namespace CLI {
class App;
}
namespace mcpi::histories {
void addCommand(CLI::App &app, int &status);
}
namespace mcpi::saturate {
void addCommand(CLI::App &app, int &status);
}
