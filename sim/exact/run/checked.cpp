// SPDX-License-Identifier: BSD-2-Clause
#include "checked.h"

#include "base/error.h"

namespace mcpi::exact {

const Options &checked(const Options &o) {
    const struct {
        const char *name;
        bool given;
    } options[] = {{"--measure-by-registers", o.byRegisters},
                   {"--load-by-link", o.loadByLink},
                   {"--backing-bytes", o.backingBytes != 0},
                   {"--backing-latency", o.latency.high > 1}};
    for (const auto &option : options)
        if (option.given)
            throw UserError(std::string(option.name) +
                            ": the exact engine does not have it; use mcpi-sim.");
    for (const auto &node : o.nodes)
        if (!node.registers.empty())
            throw UserError("--node N:register." + node.registers.front().first +
                            ": the exact engine does not have it; use mcpi-sim.");
    if (o.mode != Mode::run && o.mode != Mode::serve)
        throw UserError("mcpi-exact has modes run and serve; for others use mcpi-sim.");
    return o;
}

} // namespace mcpi::exact
