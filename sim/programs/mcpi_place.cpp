// SPDX-License-Identifier: BSD-2-Clause
// mcpi-place: positions of functions for the layout `micro`, by simulated annealing
// (docs/explanation/cloning.md). One JSON object a line: progress, and last the result.
#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/exit_status.h"
#include "placing/anneal.h"

namespace {

using namespace mcpi;
using namespace mcpi::placing;
using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t stopped = 0;

nlohmann::json described(const Found &found) {
    return {{"ticks", found.ticks}, {"misses", found.misses}, {"streamed", found.streamed}};
}

void say(const nlohmann::json &line) {
    std::cout << line.dump() << std::endl;
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app{"Positions of functions that cost few ticks of I-cache misses."};
    std::string file;
    std::vector<unsigned> first;
    Search search;
    double seconds = 0;
    app.add_option("problem", file, "JSON (mcpi.layout.placing)")->required();
    app.add_option("--first", first, "positions to begin with, a function each")->required();
    app.add_option("--seed", search.seed);
    app.add_option("--candidates", search.candidates);
    app.add_option("--seconds", seconds, "at most; 0: no limit");
    app.add_flag("--worst", search.worst, "the most ticks instead");
    CLI11_PARSE(app, argc, argv);
    std::signal(SIGINT, [](int) { stopped = 1; });
    std::signal(SIGTERM, [](int) { stopped = 1; });
    return exitStatus("mcpi-place", [&] {
        const Problem problem = Problem::read(file);
        if (first.size() != problem.sizes.size())
            throw UserError("--first: a position for each function is wanted.");
        const auto began = Clock::now();
        uint64_t last = 0;
        const auto progress = [&](uint64_t done, const Best &best) {
            say({{"done", last = done}, {"of", search.candidates}, {"best", best.found.ticks}});
            const std::chrono::duration<double> spent = Clock::now() - began;
            return !stopped && (seconds <= 0 || spent.count() < seconds);
        };
        const Best best = anneal(problem, first, search, progress);
        Cost cost(problem);
        const Found before = cost.of(first);
        say({{"positions", best.positions},
             {"first", described(before)},
             {"found", described(best.found)},
             {"stopped", stopped != 0}});
        return 0;
    });
}
