// SPDX-License-Identifier: BSD-2-Clause
#include "bootparams.h"

#include <cstdio>

#include "error.h"

namespace mcpi {
namespace {

constexpr uint64_t magic = 0x6D435049626F6F74; // "mCPIboot"

/// A locally administered address whose last byte is the node's number; first wire byte lowest.
uint64_t stationAddress(uint64_t node) {
    return 0x0000002B0008 | (node + 1) << 40;
}
uint64_t internetAddress(uint64_t node) {
    return 0x0A000001 + node;
} // 10.0.0.1, 10.0.0.2

uint64_t value(const std::string &name, const std::string &text) {
    unsigned b[6];
    char end;
    if (std::sscanf(text.c_str(), "%2x:%2x:%2x:%2x:%2x:%2x%c", &b[0], &b[1], &b[2], &b[3], &b[4],
                    &b[5], &end) == 6) {
        uint64_t mac = 0;
        for (unsigned i = 0; i < 6; ++i)
            mac |= uint64_t{b[i]} << (8 * i);
        return mac;
    }
    if (std::sscanf(text.c_str(), "%3u.%3u.%3u.%3u%c", &b[0], &b[1], &b[2], &b[3], &end) == 4 &&
        (b[0] | b[1] | b[2] | b[3]) < 256)
        return b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
    try {
        size_t used = 0;
        const uint64_t number = std::stoull(text, &used, 0);
        if (used == text.size())
            return number;
    } catch (const std::logic_error &) {
    }
    throw UserError("boot parameter " + name + "=" + text + ": a number is wanted.");
}

} // namespace

std::map<std::string, uint64_t> bootFields(const Machine &machine, uint64_t node,
                                           const std::vector<std::string> &given) {
    const uint64_t peer = node ^ 1;
    std::map<std::string, uint64_t> fields = {
        {"magic", magic},
        {"version", 1},
        {"role", node},
        {"stack", 0},
        {"mac", stationAddress(node)},
        {"peer_mac", stationAddress(peer)},
        {"ip", internetAddress(node)},
        {"peer_ip", internetAddress(peer)},
        {"netmask", 0xFFFFFF00},
        {"round_trips", 1},
        {"warmup", 0},
        {"seed", 1},
        {"ram_bytes", machine.parameter("memory.size")},
        {"ticks_per_us", machine.parameter("clock.ticks_per_us")},
        {"timer_hz", machine.parameter("timer.hz")},
    };
    for (const auto &text : given) {
        const auto equals = text.find('=');
        const std::string name = text.substr(0, equals);
        const auto field = fields.find(name);
        if (equals == std::string::npos || field == fields.end())
            throw UserError("boot parameter '" + text +
                            "': field=value is wanted, with a field of "
                            "machines/memory-map.toml [boot_block].");
        field->second = value(name, text.substr(equals + 1));
    }
    return fields;
}

} // namespace mcpi
