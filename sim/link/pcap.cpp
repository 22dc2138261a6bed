// SPDX-License-Identifier: BSD-2-Clause
#include "pcap.h"

#include <algorithm>
#include <fstream>

#include "base/error.h"

namespace mcpi {
namespace {

// draft-ietf-opsawg-pcap: magic of nanosecond files, version 2.4, link type 1 (Ethernet). Each
// frame ends with its check sequence. The format has bits for that next to the link type; they stay
// 0, as programs that do not know them, scapy for one, take the frames for raw bytes. Wireshark
// finds the check sequence by itself.
constexpr uint32_t magicNanoseconds = 0xA1B23C4D, magicMicroseconds = 0xA1B2C3D4;
constexpr uint32_t snapLength = 65535;
constexpr uint32_t ethernet = 1;

void put32(std::ostream &out, uint32_t value) {
    const char bytes[4] = {static_cast<char>(value), static_cast<char>(value >> 8),
                           static_cast<char>(value >> 16), static_cast<char>(value >> 24)};
    out.write(bytes, 4);
}

/// No frame without a check sequence ends so by chance, but one in four thousand million.
bool endsWithFcs(const std::vector<uint8_t> &bytes) {
    return bytes.size() > 4 && withFcs({bytes.begin(), bytes.end() - 4}) == bytes;
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
    put32(out, ethernet);
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

std::vector<Captured> readPcap(const std::string &path, uint64_t ticksPerUs) {
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw UserError(path + ": cannot be read; is the path right?");
    const auto get32 = [&in] {
        uint8_t b[4] = {};
        in.read(reinterpret_cast<char *>(b), 4);
        return uint32_t{b[0]} | uint32_t{b[1]} << 8 | uint32_t{b[2]} << 16 | uint32_t{b[3]} << 24;
    };
    const uint32_t magic = get32();
    if (magic != magicNanoseconds && magic != magicMicroseconds)
        throw UserError(path + ": no little-endian pcap; pcapng can be converted with editcap.");
    for (int i = 0; i < 4; ++i)
        get32();
    const uint32_t link = get32();
    if ((link & 0xFFFF) != 1)
        throw UserError(path + ": its frames are not Ethernet's.");
    bool complete = link >> 26 & 1 && link >> 28 == 2;
    const uint64_t perSecond = magic == magicNanoseconds ? 1000000000 : 1000000;
    std::vector<Captured> frames;
    for (;;) {
        const uint64_t seconds = get32(), rest = get32();
        if (!in)
            break;
        const uint32_t size = get32();
        get32();
        if (size > snapLength)
            throw UserError(path + ": frame " + std::to_string(frames.size()) + " has no size.");
        Captured frame;
        // The stamp was cut: the tick is the first that is not before it.
        const uint64_t ticksPerSecond = ticksPerUs * 1000000;
        frame.tick = seconds * ticksPerSecond + (rest * ticksPerSecond + perSecond - 1) / perSecond;
        frame.bytes.resize(size);
        in.read(reinterpret_cast<char *>(frame.bytes.data()), size);
        if (!in)
            throw UserError(path + ": it ends inside frame " + std::to_string(frames.size()) + ".");
        complete = complete || endsWithFcs(frame.bytes);
        frames.push_back(std::move(frame));
    }
    for (Captured &frame : frames)
        if (!complete)
            frame.bytes = withFcs(std::move(frame.bytes));
    return frames;
}

} // namespace mcpi
