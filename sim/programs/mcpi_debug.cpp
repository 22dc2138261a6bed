// SPDX-License-Identifier: BSD-2-Clause
// mcpi-debug SOCKET NODES, then the words of mcpi-exact run, or cores and the words of mcpi-exact
// for several cores: a run as a target of GDB (docs/how-to/debug.md).
#include <CLI/CLI.hpp>
#include <cstdlib>

#include "base/exit_status.h"
#include "debug/cores.h"
#include "debug/nodes.h"
#include "debug/server.h"
#include "exact/run/checked.h"

using namespace mcpi;

namespace {

std::unique_ptr<debug::Machines> machines(unsigned nodes, int argc, char **argv) {
    if (argv[0] != std::string("cores"))
        return std::make_unique<debug::Nodes>(parseOptions(argc + 1, argv - 1, false), nodes);
    CLI::App app{"A node of several cores; see exact-engine.md."};
    exact::CoresOptions options;
    exact::addOptions(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        throw UserError(error.what());
    }
    return std::make_unique<debug::Cores>(options);
}

} // namespace

int main(int argc, char **argv) {
    return exitStatus("mcpi-debug", [&] {
        if (argc < 4)
            throw UserError("wanted: mcpi-debug SOCKET NODES run …; ./mcpi debug starts it.");
        const unsigned nodes = std::atoi(argv[2]) == 2 ? 2 : 1;
        debug::Timeline timeline(machines(nodes, argc - 3, argv + 3));
        debug::Packets packets(argv[1]);
        debug::Server(timeline, packets).run();
        return 0;
    });
}
