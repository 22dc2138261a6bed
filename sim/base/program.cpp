// SPDX-License-Identifier: BSD-2-Clause
#include "program.h"

#include "bootparams.h"
#include "error.h"

namespace mcpi {

Program readProgram(const Machine &machine, const NodeOptions &given, unsigned number) {
    Program program;
    for (const auto &path : {given.pal, given.image}) {
        Image image = readElf(path);
        checkPlacement(machine, image);
        for (auto &s : image.segments)
            program.segments.push_back(std::move(s));
        if (path == given.image)
            program.markers = std::move(image.markers);
    }
    if (!given.markers.empty())
        program.markers = readMarkers(given.markers);
    program.segments.push_back(bootBlock(machine, bootFields(machine, number, given.boot)));
    return program;
}

std::vector<Marker> comparators(const Program &program, const NodeInfo &info, unsigned number) {
    std::vector<Marker> found;
    for (const auto &m : program.markers) {
        if (m.action == actionEvent)
            continue; // seen without one
        if (found.size() == info.comparators)
            throw UserError("node " + std::to_string(number) + ": more than " +
                            std::to_string(info.comparators) + " markers that need a comparator.");
        if (!m.window || m.window > info.windows.size())
            throw UserError("node " + std::to_string(number) + ": a marker of window " +
                            std::to_string(m.window) + "; there are windows 1 to " +
                            std::to_string(info.windows.size()) + ".");
        found.push_back(m);
    }
    return found;
}

/// SplitMix64 of seed and index: a small change of either changes everything.
uint64_t phaseFromSeed(uint64_t seed, unsigned which, uint64_t limit) {
    uint64_t z = seed * 0x9E3779B97F4A7C15 + which * 0xD1B54A32D192ED03 + 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return (z ^ z >> 31) % limit;
}

} // namespace mcpi
