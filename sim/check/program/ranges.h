// SPDX-License-Identifier: BSD-2-Clause
// Files that tell a check of a program where things are.
#pragma once
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"

namespace mcpi {

/// Addresses from `from` on; `to` is not included.
struct Range {
    uint64_t from = 0, to = 0;
    bool has(uint64_t address) const { return address - from < to - from; }
};

struct NamedRange {
    std::string what;
    Range range;
};

/// Rows `what,from,to` of a file, with addresses in hex. UserError if it has others.
inline std::vector<NamedRange> rangesOf(const std::string &file) {
    std::ifstream in(file);
    if (!in)
        throw UserError(file + ": cannot be read.");
    std::vector<NamedRange> found;
    for (std::string line; std::getline(in, line);) {
        const auto one = line.find(','), two = line.find(',', one + 1);
        try {
            found.push_back({line.substr(0, one),
                             {std::stoull(line.substr(one + 1), nullptr, 16),
                              std::stoull(line.substr(two + 1), nullptr, 16)}});
        } catch (const std::exception &) {
            throw UserError(file + ": what,from,to is wanted, not '" + line + "'.");
        }
    }
    return found;
}

} // namespace mcpi
