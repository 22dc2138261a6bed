// SPDX-License-Identifier: BSD-2-Clause
// mcpi-core: the processor alone against the instruction-set model (docs/random-tests.md).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "bench.h"
#include "driver/error.h"

namespace {

constexpr const char *usage =
    "usage: mcpi-core --machine machine.json --program ELF [--instructions N] [--seed N]\n"
    "                 [--interrupt-every INSTRUCTIONS] [--dma-every TICKS] [--slow-read-in N]\n"
    "                 [--withhold PERCENT] [--again LINE] [--words FILE]";
constexpr const char *trapNames[] = {"mchk", "arith", "interrupt", "unalign", "opcdec", "fen"};

std::map<std::string, std::string> parse(int argc, char **argv) {
    std::map<std::string, std::string> options = {{"instructions", "100000"},
                                                  {"seed", "1"},
                                                  {"interrupt-every", "150"},
                                                  {"dma-every", "150"},
                                                  {"slow-read-in", "8"},
                                                  {"withhold", "0"},
                                                  {"again", ""},
                                                  {"words", ""},
                                                  {"machine", ""},
                                                  {"program", ""}};
    for (int i = 1; i < argc; i += 2) {
        const std::string key = argv[i];
        if (key.rfind("--", 0) || !options.count(key.substr(2)) || i + 1 == argc)
            throw mcpi::UserError(key + ": not an option, or without a value\n" + usage);
        options[key.substr(2)] = argv[i + 1];
    }
    for (const char *needed : {"machine", "program"})
        if (options[needed].empty())
            throw mcpi::UserError(std::string("--") + needed + " is missing\n" + usage);
    return options;
}

uint64_t number(const std::map<std::string, std::string> &options, const char *key) {
    const std::string &word = options.at(key);
    char *end;
    const uint64_t value = std::strtoull(word.c_str(), &end, 0);
    if (word.empty() || *end)
        throw mcpi::UserError(std::string("--") + key + " " + word + ": a whole number is wanted");
    return value;
}

void run(int argc, char **argv) {
    const auto options = parse(argc, argv);
    mcpi::Weather weather;
    weather.seed = number(options, "seed");
    weather.interruptEvery = static_cast<unsigned>(number(options, "interrupt-every"));
    weather.dmaEvery = static_cast<unsigned>(number(options, "dma-every"));
    weather.slowReadIn = static_cast<unsigned>(number(options, "slow-read-in"));
    weather.withholdPercent = static_cast<unsigned>(number(options, "withhold"));
    std::string again = options.at("again");
    if (again.empty())
        for (int i = 0; i < argc; ++i)
            again += std::string(i ? " " : "") + argv[i];
    const mcpi::Machine machine(options.at("machine"));
    mcpi::CoreBench bench(machine, weather, again);
    bench.place(mcpi::readElf(options.at("program")));
    const auto begun = std::chrono::steady_clock::now();
    bench.run(number(options, "instructions"));
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;

    nlohmann::ordered_json said = {{"instructions", bench.lockstep().instructions},
                                   {"ticks", bench.ticks()},
                                   {"clocks", bench.clocks},
                                   {"wall_seconds", wall.count()},
                                   {"distinct_words", bench.words.size()},
                                   {"reads", bench.around.reads},
                                   {"writes", bench.around.writes},
                                   {"dma", bench.around.dmas},
                                   {"io", bench.around.ios},
                                   {"errors", bench.around.errors}};
    for (unsigned i = 0; i < bench.trapped.size(); ++i)
        said["traps"][trapNames[i]] = bench.trapped[i];
    said["owners"] = bench.owned;
    said["opcodes"] = bench.opcodes;
    std::printf("%s\n", said.dump().c_str());
    if (!options.at("words").empty()) {
        std::ofstream file(options.at("words"), std::ios::binary | std::ios::app);
        for (const uint32_t word : bench.words)
            file.write(reinterpret_cast<const char *>(&word), sizeof word);
    }
}

} // namespace

int main(int argc, char **argv) {
    try {
        run(argc, argv);
        return 0;
    } catch (const mcpi::UserError &error) {
        std::fprintf(stderr, "mcpi-core: %s\n", error.what());
        return 2;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "mcpi-core: %s\n", error.what());
        return 1;
    }
}
