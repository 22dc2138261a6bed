// SPDX-License-Identifier: BSD-2-Clause
#include "pcap.h"

#include <algorithm>
#include <fstream>

#include "error.h"

namespace mcpi {
namespace {

// draft-ietf-opsawg-pcap: magic of nanosecond files, version 2.4, link type 1 (Ethernet), and in
// the upper bits that each frame ends with its check sequence, two times 16 bits long.
constexpr uint32_t magicNanoseconds = 0xA1B23C4D, snapLength = 65535;
constexpr uint32_t ethernetWithFcs = 2 << 28 | 1 << 26 | 1;

void put32(std::ostream &out, uint32_t value) {
    const char bytes[4] = {static_cast<char>(value), static_cast<char>(value >> 8),
                           static_cast<char>(value >> 16), static_cast<char>(value >> 24)};
    out.write(bytes, 4);
}

} // namespace

std::size_t writePcap(const std::string &path, std::vector<Passage> passages, uint64_t ticksPerUs) {
    std::ofstream out(path, std::ios::binary);
    if (!out)
        throw UserError(path + ": cannot be written.");
    put32(out, magicNanoseconds);
    put32(out, 4 << 16 | 2);
    put32(out, 0);
    put32(out, 0);
    put32(out, snapLength);
    put32(out, ethernetWithFcs);
    std::stable_sort(passages.begin(), passages.end(),
                     [](const Passage &a, const Passage &b) { return a.sentFirst < b.sentFirst; });
    std::size_t leftOut = 0;
    for (const auto &p : passages) {
        const auto bytes = frameBytes(p.nibbles);
        if (p.error || bytes.empty()) {
            ++leftOut;
            continue;
        }
        const auto size = static_cast<uint32_t>(bytes.size());
        const uint64_t seconds = p.sentFirst / (ticksPerUs * 1000000);
        const uint64_t rest = p.sentFirst % (ticksPerUs * 1000000);
        put32(out, static_cast<uint32_t>(seconds));
        put32(out, static_cast<uint32_t>(rest * 1000 / ticksPerUs));
        put32(out, size);
        put32(out, size);
        out.write(reinterpret_cast<const char *>(bytes.data()), size);
    }
    if (!out.flush())
        throw UserError(path + ": cannot be written; is the disk full?");
    return leftOut;
}

} // namespace mcpi
