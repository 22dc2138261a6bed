// SPDX-License-Identifier: BSD-2-Clause
#include "machine_state.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace mcpi {

void writeState(const std::string &folder, unsigned node, const alpha::Cpu &cpu) {
    constexpr unsigned stackPointer = 30;
    constexpr uint64_t most = 64 * 1024;
    const uint64_t from = cpu.r[stackPointer] & alpha::physicalMask & ~uint64_t{7};
    nlohmann::ordered_json state = {{"pc", cpu.programCounter()},
                                    {"registers", cpu.r},
                                    {"stack_address", from},
                                    {"stack", nlohmann::ordered_json::array()}};
    for (uint64_t at = from; at + 8 <= cpu.ram().size() && at < from + most; at += 8)
        state["stack"].push_back(cpu.ram().get(at, 8));
    std::ofstream(folder + "/state." + std::to_string(node) + ".json") << state.dump() << '\n';
}

} // namespace mcpi
