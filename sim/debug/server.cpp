// SPDX-License-Identifier: BSD-2-Clause
#include "server.h"

#include <algorithm>
#include <cinttypes>

#include "base/error.h"
#include "base/text.h"

namespace mcpi::debug {
namespace {

// Registers as GDB numbers an Alpha's: 32 integer, 31 floating, fpcr, pc, one without a name,
// unique.
constexpr unsigned registerCount = 67, stackPointer = 30, programCounter = 64;
constexpr const char *trapped = "T05", *fault = "T0b", *asked = "T02";
constexpr const char *packetBytes = "4000";
constexpr uint64_t mostBytes = 0x1F00;

/// Hex digits from `at` on; `at` is behind them afterwards.
uint64_t number(const std::string &text, std::size_t &at) {
    uint64_t value = 0;
    for (; at < text.size() && std::isxdigit(static_cast<uint8_t>(text[at])); ++at)
        value = value << 4 | std::stoull(text.substr(at, 1), nullptr, 16);
    return value;
}

bool begins(const std::string &text, const char *with) {
    return text.rfind(with, 0) == 0;
}

} // namespace

Server::Server(Timeline &timeline, Packets &packets)
    : timeline_(timeline), packets_(packets), threads_(timeline.now().threads()),
      monitor_(timeline) {}

void Server::run() {
    while (const auto packet = packets_.receive()) {
        Text reply;
        if (!answer(*packet, reply))
            return;
        packets_.send(reply);
        if (*packet == "QStartNoAckMode")
            packets_.noAcknowledgements();
    }
}

/// False: the debugger goes.
bool Server::answer(const Text &packet, Text &reply) {
    switch (packet.empty() ? 0 : packet[0]) {
    case '?':
        reply = stopped(trapped, selected_);
        return true;
    case 'D':
        if (++detached_ == processes() || packet == "D")
            packets_.send("OK");
        else
            reply = "OK";
        return !reply.empty();
    case 'k':
        return false;
    case 'H':
        (packet[1] == 'c' ? moving_ : selected_) = nodeOf(packet.substr(2));
        reply = "OK";
        return true;
    case 'T':
        reply = "OK";
        return true;
    case 'g':
        reply = registers();
        return true;
    case 'p': {
        std::size_t at = 1;
        reply = oneRegister(static_cast<unsigned>(number(packet, at)));
        return true;
    }
    case 'm':
        reply = memory(packet);
        return true;
    case 'G':
    case 'P':
    case 'M':
    case 'X':
        reply = "E01"; // a run that is written to would be another
        return true;
    case 'Z':
    case 'z':
        reply = breakpoint(packet);
        return true;
    case 'b':
        reply = moves(true, packet == "bs" ? std::optional(moving_) : std::nullopt);
        return true;
    case 'Q':
        reply = packet == "QStartNoAckMode" ? "OK" : "";
        return true;
    case 'q':
        reply = query(packet);
        return true;
    case 'v':
        if (begins(packet, "vKill")) {
            packets_.send("OK");
            return false;
        }
        reply = packet == "vCont?"         ? "vCont;c;C;s;S"
                : begins(packet, "vCont;") ? resumed(packet)
                                           : "";
        return true;
    default:
        return true;
    }
}

Server::Text Server::query(const Text &packet) {
    if (begins(packet, "qSupported")) {
        multiprocess_ = packet.find("multiprocess+") != Text::npos;
        return text("PacketSize=%s;multiprocess+;swbreak+;hwbreak+;vContSupported+;ReverseStep+;"
                    "ReverseContinue+;QStartNoAckMode+",
                    packetBytes);
    }
    if (begins(packet, "qRcmd,"))
        return monitored(fromHex(packet.substr(6)));
    if (begins(packet, "qAttached"))
        return "1";
    if (packet == "qC")
        return "QC" + thread(selected_);
    if (packet == "qsThreadInfo")
        return "l";
    if (packet != "qfThreadInfo")
        return "";
    Text all;
    const unsigned gone = timeline_.now().together() ? exited_ * threads_ : exited_;
    for (unsigned n = gone; n < threads_; ++n)
        all += (all.empty() ? "m" : ",") + thread(n);
    return all.empty() ? "l" : all;
}

Server::Text Server::thread(unsigned node) const {
    if (!multiprocess_)
        return text("%u", node + 1);
    return timeline_.now().together() ? text("p1.%x", node + 1) : text("p%x.1", node + 1);
}

/// `pPROCESS.THREAD` or `THREAD`; that of any, or of all, is the one selected before.
unsigned Server::nodeOf(const Text &thread) const {
    std::size_t at = thread[0] == 'p';
    uint64_t named = number(thread, at);
    if (at < thread.size() && thread[at] == '.' && timeline_.now().together())
        named = number(thread, ++at);
    return named >= 1 && named <= threads_ ? static_cast<unsigned>(named) - 1 : selected_;
}

Server::Text Server::oneRegister(unsigned reg) const {
    if (reg < 31)
        return littleEndian(timeline_.now().value(selected_, reg));
    if (reg == 31 || reg == 65)
        return littleEndian(0);
    if (reg == programCounter)
        return littleEndian(timeline_.now().cpu(selected_).pc);
    return Text(16, 'x'); // there is no floating point
}

Server::Text Server::registers() const {
    Text all;
    for (unsigned reg = 0; reg < registerCount; ++reg)
        all += oneRegister(reg);
    return all;
}

Server::Text Server::memory(const Text &packet) const {
    std::size_t at = 1;
    const uint64_t address = number(packet, at);
    const uint64_t bytes = number(packet, ++at);
    const Text found =
        timeline_.now().bytesAt(selected_, address & physicalMask, std::min(bytes, mostBytes));
    const bool named = address == alpha::place(address) || address >> 34 == 0;
    return found.empty() || !named ? "E01" : toHex(found);
}

Server::Text Server::breakpoint(const Text &packet) {
    std::size_t at = 3;
    const uint64_t address = number(packet, at);
    const uint64_t bytes = number(packet, ++at);
    const bool adds = packet[0] == 'Z';
    const unsigned first = timeline_.now().together() ? 0 : selected_;
    const unsigned last = timeline_.now().together() ? threads_ - 1 : selected_;
    if (packet[1] == '0' || packet[1] == '1') {
        for (unsigned n = first; n <= last; ++n)
            stops_.place(n, address & physicalMask, adds);
        return "OK";
    }
    if (packet[1] < '2' || packet[1] > '4')
        return "";
    constexpr Hit::What kinds[] = {Hit::What::write, Hit::What::read, Hit::What::access};
    const Watchpoint wanted{kinds[packet[1] - '2'], address, bytes};
    if (timeline_.now().bytesAt(selected_, address & physicalMask, bytes).size() < bytes)
        return "E01"; // a device's register
    for (unsigned n = first; n <= last; ++n) {
        auto &all = stops_.watchpoints[n];
        all.erase(std::remove(all.begin(), all.end(), wanted), all.end());
        if (adds)
            all.push_back(wanted);
    }
    return "OK";
}

/// `vCont;ACTION:THREAD…`: time passes on both machines, whoever goes on.
Server::Text Server::resumed(const Text &packet) {
    std::optional<unsigned> steps;
    const std::size_t first = packet.find(':');
    const bool one = std::count(packet.begin(), packet.end(), ';') == 1 && first != Text::npos &&
                     packet.find(".-1") == Text::npos;
    stops_.only.reset();
    if (!one)
        stops_.forgetRemoved();
    else if (timeline_.goesBack()) // as GDB steps over a breakpoint
        stops_.only = nodeOf(packet.substr(first + 1));
    for (std::size_t at = packet.find(';'); at != Text::npos; at = packet.find(';', at + 1)) {
        const std::size_t thread = packet.find(':', at), next = packet.find(';', at + 1);
        if ((packet[at + 1] | 0x20) == 's')
            steps = thread < next ? nodeOf(packet.substr(thread + 1)) : selected_;
    }
    return moves(false, steps);
}

Server::Text Server::moves(bool backward, std::optional<unsigned> steps) {
    using End = Timeline::End;
    Hit hit;
    stops_.steps = steps;
    monitor_.leaves();
    const Timeline::Interrupted asks = [this] { return packets_.interrupted(); };
    if (backward && !timeline_.goesBack()) {
        say(Text("mcpi: ") + oneWay);
        return stopped(Text(trapped) + "replaylog:begin;", moving_);
    }
    if (!backward && timeline_.now().ended() && ended_)
        return exited();
    if (backward || timeline_.tick() != stood_) // gone back, or elsewhere
        stops_.dropWaiting();
    if (const auto waits = stops_.only ? std::nullopt : stops_.takeWaiting()) {
        timeline_.goTo(waits->tick);
        return stopped(trapped + reason(*waits), waits->node);
    }
    const End end =
        backward ? timeline_.backward(stops_, hit, asks) : timeline_.forward(stops_, hit, asks);
    console();
    switch (end) {
    case End::hit:
        if (hit.dma)
            say(text("mcpi: the network controller of node %u wrote it (DMA).\n", hit.node));
        return stopped(trapped + reason(hit), hit.node);
    case End::begin:
        return stopped(Text(trapped) + "replaylog:begin;", moving_);
    case End::end:
        if (!ended_) {
            ended_ = true;
            say(text("mcpi: the run has ended at tick %" PRIu64
                     ". Go back, or continue once more to leave it.\n",
                     timeline_.tick()));
            try {
                timeline_.now().leaveFiles();
            } catch (const RunError &error) {
                say(Text("mcpi: ") + error.what() + "\n");
            }
        }
        return stopped(Text(trapped) + "replaylog:end;", moving_);
    case End::failed:
        say("mcpi: " + timeline_.now().failure() + "\n");
        return stopped(fault, moving_);
    case End::interrupted:
        break;
    }
    return stopped(asked, moving_);
}

/// Exit of a process: each time of another, until all have.
Server::Text Server::exited() {
    const unsigned node = std::min(exited_++, processes() - 1);
    const int code = timeline_.now().exitCode(node) & 0xFF;
    return multiprocess_ ? text("W%02x;process:%x", code, node + 1) : text("W%02x", code);
}

Server::Text Server::reason(const Hit &hit) const {
    switch (hit.what) {
    case Hit::What::place:
        return "swbreak:;";
    case Hit::What::write:
        return text("watch:%" PRIx64 ";", hit.address);
    case Hit::What::read:
        return text("rwatch:%" PRIx64 ";", hit.address);
    case Hit::What::access:
        return text("awatch:%" PRIx64 ";", hit.address);
    case Hit::What::step:
        break;
    }
    return "";
}

/// Stop of a node, which is the node of what GDB asks next.
Server::Text Server::stopped(const Text &why, unsigned node) {
    selected_ = node;
    stood_ = timeline_.tick();
    return why + text("%x:", programCounter) + oneRegister(programCounter) +
           text(";%x:", stackPointer) + oneRegister(stackPointer) + ";thread:" + thread(node) + ";";
}

Server::Text Server::monitored(const Text &words) {
    const Text said = monitor_.answer(words, selected_);
    for (std::size_t at = 0; at < said.size(); at += mostBytes / 4)
        packets_.send("O" + toHex(said.substr(at, mostBytes / 4)));
    return "OK";
}

void Server::say(const Text &text) {
    packets_.send("O" + toHex(text));
}

/// Say what the machines have printed that nobody has seen.
void Server::console() {
    for (unsigned n = 0; n < processes(); ++n) {
        const Text &all = timeline_.now().console(n);
        if (all.size() <= printed_[n])
            continue;
        say(all.substr(printed_[n]));
        printed_[n] = all.size();
    }
}

} // namespace mcpi::debug
