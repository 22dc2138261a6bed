// SPDX-License-Identifier: BSD-2-Clause
// What lance-bench can do: each adds its command, which leaves its exit status.
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
