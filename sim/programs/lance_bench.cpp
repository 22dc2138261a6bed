// SPDX-License-Identifier: BSD-2-Clause
// Long runs of the Verilated LANCE, without a node around it.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/error.h"
#include "bench/lance/commands.h"

int main(int argc, char **argv) {
    int status = 0;
    CLI::App app{"Long runs of the LANCE alone."};
    app.require_subcommand(1);
    mcpi::histories::addCommand(app, status);
    mcpi::saturate::addCommand(app, status);
    try {
        app.parse(argc, argv);
        return status;
    } catch (const CLI::ParseError &error) {
        return app.exit(error) ? 2 : 0;
    } catch (const mcpi::UserError &error) {
        std::fprintf(stderr, "lance-bench: %s\n", error.what());
        return 2;
    } catch (const mcpi::RunError &error) {
        std::printf("WRONG: %s\n", error.what());
        return 1;
    }
}
