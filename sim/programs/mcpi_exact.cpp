// SPDX-License-Identifier: BSD-2-Clause
// mcpi-exact: two nodes as mcpi-sim runs them, several on a network, or one alone, every tick of it
// (exact-engine.md).
#include <CLI/CLI.hpp>
#include <iostream>

#include "base/error.h"
#include "base/exit_status.h"
#include "exact/run/alone.h"
#include "exact/run/checked.h"
#include "exact/run/cores.h"
#include "exact/run/pair.h"
#include "exact/run/scenario.h"
#include "exact/run/whatif.h"
#include "testbed/external_peer.h"

using namespace mcpi;

int main(int argc, char **argv) {
    if (argc > 1 && (argv[1] == std::string("run") || argv[1] == std::string("serve")))
        return exitStatus("mcpi-exact", [&] {
            const Options options = parseOptions(argc, argv, false);
            if (options.mode == Mode::serve) {
                exact::WatchedNode node(Machine(options.machine), exact::checked(options), 0);
                ExternalPeer(options, node).run(std::cin, std::cout);
            } else if (!options.whatIf.empty()) {
                exact::whatIf(options);
            } else {
                exact::Pair(options).run();
            }
            return 0;
        });
    if (argc > 1 && argv[1] == std::string("scenario")) {
        CLI::App app{"Several nodes on a network; see scenario.md."};
        std::string plan, out;
        app.add_option("--plan", plan, "nodes, switches and links, JSON")->required();
        app.add_option("--out", out, "folder of the files")->required();
        CLI11_PARSE(app, argc - 1, argv + 1);
        return exitStatus("mcpi-exact", [&] {
            exact::runScenario(plan, out);
            return 0;
        });
    }
    CLI::App app{"One node, every tick of it; mcpi-exact run: two; mcpi-exact scenario: several; "
                 "mcpi-exact serve: one and a peer. See exact-engine.md."};
    std::string file;
    exact::CoresOptions cores;
    cores.maxTicks = 10'000'000;
    exact::addOptions(app, cores);
    app.add_option("--tick-log", file, "every tick, as ticks.csv of mcpi-sim");
    CLI11_PARSE(app, argc, argv);
    return exitStatus("mcpi-exact", [&] {
        if (Machine(cores.machine).has("bcache.private")) {
            if (!file.empty())
                throw UserError("--tick-log: several cores want --out FOLDER --ticks.");
            exact::Cores several(cores);
            const unsigned code = several.run();
            std::fputs(several.console().c_str(), stdout);
            return static_cast<int>(code);
        }
        for (const char *option :
             {"--out", "--markers", "--boot", "--seed", "--history", "--ticks", "--take",
              "--release", "--passages", "--tick-log-of", "--span", "--span-of"})
            if (app.count(option))
                throw UserError(std::string(option) + ": only with bcache.private = on.");
        return exact::runAlone(cores.machine, cores.node.pal, cores.node.image, cores.node.phase,
                               cores.maxTicks, file);
    });
}
