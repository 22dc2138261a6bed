// SPDX-License-Identifier: BSD-2-Clause
// mcpi-model: a recording replayed on another layout or machine (docs/explanation/model.md).
#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/exit_status.h"
#include "pipeline.h"

namespace {

using namespace mcpi;

/// Lines of hexadecimal numbers with commas between them.
template <typename Row> void lines(const std::string &path, unsigned fields, Row row) {
    std::ifstream in(path);
    if (!in)
        throw UserError(path + ": cannot be read.");
    std::string line;
    for (unsigned number = 1; std::getline(in, line); ++number) {
        uint64_t v[3];
        char rest;
        if (std::sscanf(line.c_str(), "%" SCNx64 ",%" SCNx64 ",%" SCNx64 "%c", &v[0], &v[1], &v[2],
                        &rest) != static_cast<int>(fields))
            throw UserError(path + ":" + std::to_string(number) + ": three numbers in hex.");
        row(v);
    }
}

void model(const std::string &machine, const std::string &steps, const std::string &map,
           const std::string &marks, uint64_t begin, uint64_t end, const std::string &out) {
    const Machine resolved(machine);
    std::vector<pipeline::Moved> ranges;
    if (!map.empty())
        lines(map, 3, [&](const uint64_t *v) { ranges.push_back({v[0], v[1], v[2]}); });
    std::vector<Marker> markers;
    lines(marks, 3, [&](const uint64_t *v) {
        markers.push_back({v[0], static_cast<uint32_t>(v[1]), static_cast<uint32_t>(v[2])});
    });
    const pipeline::Map moved(std::move(ranges));
    pipeline::Pipeline p(resolved, moved, markers, begin, end);
    p.run(pipeline::read(steps));
    nlohmann::ordered_json result;
    result["all"] = p.counters[pipeline::Pipeline::all];
    result["path"] = p.counters[pipeline::Pipeline::path];
    for (const auto &e : p.events)
        result["events"].push_back({e.tick, e.number});
    std::ofstream file(out);
    if (!(file << result.dump() << '\n').flush())
        throw UserError(out + ": cannot be written.");
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app{"One node's recording in the time of another layout or machine: model.md."};
    std::string machine, steps, map, markers, out;
    uint64_t begin = 0, end = ~uint64_t{0};
    app.add_option("--machine", machine, "resolved machine, JSON")->required();
    app.add_option("--steps", steps, "the recording, steps.N.bin")->required();
    app.add_option("--map", map, "lines from,to,bytes in hex; without it, nothing has moved");
    app.add_option("--markers", markers, "lines address,action,window in hex")->required();
    app.add_option("--begin", begin, "recorded tick from which counters count");
    app.add_option("--end", end, "recorded tick at which they stop");
    app.add_option("--out", out, "JSON: counters of both banks, events")->required();
    CLI11_PARSE(app, argc, argv);
    return mcpi::exitStatus("mcpi-model", [&] {
        model(machine, steps, map, markers, begin, end, out);
        return 0;
    });
}
