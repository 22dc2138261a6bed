// SPDX-License-Identifier: BSD-2-Clause
#include "machine_state.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace mcpi {

void writeState(const std::string &folder, unsigned node, const alpha::Cpu &cpu,
                const std::function<uint64_t(uint64_t)> &quadword, const ProgramGuard *guard,
                const Unwritten *unwritten) {
    constexpr unsigned stackPointer = 30;
    uint64_t from = cpu.r[stackPointer] & physicalMask & ~uint64_t{7}, most = 64 * 1024;
    nlohmann::ordered_json state = {{"pc", cpu.programCounter()}, {"registers", cpu.r}};
    if (guard && guard->found()) {
        const OutOfBounds &out = *guard->found();
        const auto &stack = guard->stack();
        state["out_of_bounds"] = {{"kind", out.kind},
                                  {"pc", out.pc},
                                  {"address", out.address},
                                  {"stack_bytes", stack.to - stack.from}};
        from = std::max(from, stack.from & physicalMask);
        most = stack.to - stack.from;
    }
    if (unwritten && unwritten->found()) {
        const UnwrittenUse &use = *unwritten->found();
        state["unwritten"] = {{"kind", use.kind},   {"pc", use.pc}, {"address", use.address},
                              {"place", use.place}, {"by", use.by}, {"from", use.from},
                              {"bytes", use.bytes}};
    }
    state["stack_address"] = from;
    auto &words = state["stack"] = nlohmann::ordered_json::array();
    for (uint64_t at = from; at + 8 <= cpu.ram().size() && at < from + most; at += 8)
        words.push_back(quadword(at));
    std::ofstream(folder + "/state." + std::to_string(node) + ".json") << state.dump() << '\n';
}

} // namespace mcpi
