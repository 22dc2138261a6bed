// SPDX-License-Identifier: BSD-2-Clause
#include "pcap.h"

#include <algorithm>
#include <fstream>
#include <utility>

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

void put32(std::string &out, uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8)
        out += static_cast<char>(value >> shift);
}

/// No frame without a check sequence ends so by chance, but one in four thousand million.
bool endsWithFcs(const std::vector<uint8_t> &bytes) {
    return bytes.size() > 4 && withFcs({bytes.begin(), bytes.end() - 4}) == bytes;
}

} // namespace

Pcap::Pcap(uint64_t ticksPerUs, std::string file, Pack pack)
    : ticksPerUs_(ticksPerUs), file_(std::move(file), pack) {
    for (const uint32_t word : {magicNanoseconds, 4u << 16 | 2, 0u, 0u, snapLength, ethernet})
        put32(file_.text, word);
}

/// Writes the frames whose first bit came before `tick`.
void Pcap::add(uint64_t tick) {
    std::stable_sort(frames.begin(), frames.end(),
                     [](const Passage &a, const Passage &b) { return a.sentFirst < b.sentFirst; });
    auto next = frames.begin();
    for (; next != frames.end() && next->sentFirst < tick; ++next) {
        const auto bytes = frameBytes(next->nibbles);
        if (next->error || bytes.empty()) {
            ++leftOut;
            continue;
        }
        const auto size = static_cast<uint32_t>(bytes.size());
        const uint64_t seconds = next->sentFirst / (ticksPerUs_ * 1000000);
        const uint64_t rest = next->sentFirst % (ticksPerUs_ * 1000000);
        put32(file_.text, static_cast<uint32_t>(seconds));
        put32(file_.text, static_cast<uint32_t>(rest * 1000 / ticksPerUs_));
        put32(file_.text, size);
        put32(file_.text, size);
        file_.text.append(bytes.begin(), bytes.end());
    }
    count_ += static_cast<std::size_t>(next - frames.begin());
    frames.erase(frames.begin(), next);
}

void Pcap::settle(uint64_t tick) {
    if (frames.size() < 256)
        return;
    add(tick);
    file_.settle();
}

void Pcap::write(const std::string &path) {
    add(~uint64_t{0});
    file_.write(path);
}

std::size_t writePcap(const std::string &path, std::vector<Passage> passages, uint64_t ticksPerUs) {
    Pcap pcap(ticksPerUs);
    pcap.frames = std::move(passages);
    pcap.write(path);
    return pcap.leftOut;
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
