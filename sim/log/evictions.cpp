// SPDX-License-Identifier: BSD-2-Clause
#include "evictions.h"

#include <fstream>

#include "base/error.h"

namespace mcpi {

void Evictions::write(const std::string &folder, unsigned node) const {
    const std::string path = folder + "/evictions." + std::to_string(node) + ".csv";
    std::ofstream out(path);
    out << "page,displaced,lines,same\n";
    for (const auto &[pages, count] : found_) {
        out << std::hex << pages.first << ',';
        if (pages.second != none)
            out << pages.second;
        out << std::dec << ',' << count.lines << ',' << count.same << '\n';
    }
    if (!out.flush())
        throw UserError(path + ": cannot be written.");
}

} // namespace mcpi
