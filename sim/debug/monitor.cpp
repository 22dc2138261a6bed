// SPDX-License-Identifier: BSD-2-Clause
#include "monitor.h"

#include <algorithm>
#include <cctype>
#include <cinttypes>
#include <sstream>

#include "base/text.h"
#include "link/frame.h"

namespace mcpi::debug {
namespace {

constexpr const char *help =
    "monitor tick             the tick at which the machines stand\n"
    "monitor goto TICK        stand there; +N, -N: so many ticks from here\n"
    "monitor failure          stand where the first machine ended itself with an exit code\n"
    "monitor owners           ticks by owner, since the run began and since the last stop\n"
    "monitor counters         the machine's counters, likewise\n"
    "monitor caches [ADDRESS] what the caches hold; whether they hold the block of an address\n"
    "monitor rings            the descriptors of the network controller\n"
    "monitor events           the latest marks and frames, both machines\n"
    "monitor wire             the latest frames\n"
    "monitor why              why the next instruction misses, and who evicted its block\n";

constexpr const char *noWire = "a machine of several cores runs alone: it has no wire.\n";

bool isNumber(const std::string &text) {
    return !text.empty() && text.size() < 20 &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

// CALL_PAL CSERVE, and its service that ends the program (firmware/boot/palcode.h).
constexpr uint32_t cserve = 0x09;
constexpr uint64_t exits = 2;

/// Waits for a program that is about to end itself with an exit code, or has.
struct Ends : exact::Probe {
    explicit Ends(Machines &machines) : machines(machines) {}
    Machines &machines;
    unsigned node = 0, code = 0;

    bool after(unsigned number, const exact::TickRun &run) override {
        if (run.owner != Owner::issue)
            return false;
        const alpha::Cpu &cpu = machines.cpu(number);
        const bool calls =
            !cpu.palMode && wordAt(cpu, cpu.pc) == cserve && machines.value(number, 16) == exits;
        const auto exit = machines.exit(number);
        node = number;
        code = calls ? machines.value(number, 17) & 0xFF : exit ? exit->code : 0;
        return code != 0;
    }
};

} // namespace

std::string Monitor::answer(const std::string &words, unsigned node) {
    std::istringstream in(words);
    std::string command, argument, more;
    in >> command >> argument >> more;
    const bool alone = argument.empty();
    if (command == "tick" && alone)
        return tick(node);
    if (command == "goto" && !alone && more.empty())
        return goTo(argument);
    if (command == "failure" && alone)
        return failure();
    if (command == "owners" && alone)
        return owners(node);
    if (command == "counters" && alone)
        return counters(node);
    if (command == "events" && alone)
        return events();
    if (command == "wire" && alone)
        return wire();
    if (command == "help" && alone)
        return help;
    if (command == "rings" && alone && !timeline_.now().wire())
        return noWire;
    if (more.empty())
        if (const auto known = timeline_.now().answer(timeline_, command, argument, node))
            return *known;
    return "monitor " + words + ": is not known.\n" + help;
}

void Monitor::leaves() {
    for (unsigned n = 0; n < timeline_.now().threads(); ++n)
        before_[n] = timeline_.now().ownerTicks(n);
}

std::string Monitor::tick(unsigned node) const {
    return text("tick %" PRIu64 ", %s %u: %" PRIu64 " instructions have issued\n", timeline_.tick(),
                kind(), node, timeline_.now().instructions(node));
}

std::string Monitor::goTo(const std::string &where) {
    const bool relative = where[0] == '+' || where[0] == '-';
    if (!isNumber(relative ? where.substr(1) : where))
        return "monitor goto " + where + ": a tick is wanted, or +N or -N.\n";
    const uint64_t here = timeline_.tick(), number = std::stoull(where.substr(relative));
    const uint64_t back = where[0] == '-' ? std::min(number, here) : 0;
    const uint64_t wanted = !relative ? number : where[0] == '-' ? here - back : here + number;
    if (wanted < here && !timeline_.goesBack())
        return oneWay;
    leaves();
    timeline_.goTo(wanted);
    return text("tick %" PRIu64 "\n", timeline_.tick());
}

/// Stand before the store to the exit register; where time does not go back, before the call of
/// PALcode that stores there, from here on.
std::string Monitor::failure() {
    leaves();
    if (!timeline_.goesBack()) {
        Ends ends(timeline_.now());
        timeline_.now().standAt(memory::never, &ends);
        return !ends.code ? "no machine has ended with an exit code\n"
                          : text("node %u ends itself with exit code %u\n", ends.node, ends.code);
    }
    std::optional<Machines::Exit> first;
    std::string said = "no machine has ended with an exit code\n";
    for (unsigned n = 0; n < timeline_.now().threads(); ++n) {
        const auto exit = timeline_.now().exit(n);
        if (!exit || !exit->code || (first && exit->tick >= first->tick))
            continue;
        first = exit;
        said = text("%s %u ended itself with exit code %u in tick %" PRIu64 "\n", kind(), n,
                    exit->code, exit->tick);
    }
    if (first)
        timeline_.goTo(first->tick);
    return said;
}

std::string Monitor::owners(unsigned node) {
    const std::vector<std::string> names = timeline_.now().owners();
    const std::vector<uint64_t> all = timeline_.now().ownerTicks(node);
    std::string said = text("%-24s %16s %16s\n", "ticks of", "all", "since last stop");
    uint64_t sum = 0, since = 0;
    for (std::size_t n = 0; n < names.size(); ++n) {
        if (!all[n])
            continue;
        const uint64_t before = n < before_[node].size() ? before_[node][n] : 0;
        const uint64_t more = all[n] > before ? all[n] - before : 0;
        said += text("%-24s %16" PRIu64 " %16" PRIu64 "\n", names[n].c_str(), all[n], more);
        sum += all[n];
        since += more;
    }
    return said + text("%-24s %16" PRIu64 " %16" PRIu64 "\n", "sum", sum, since);
}

std::string Monitor::counters(unsigned node) {
    std::string said = text("%-32s %16s %16s\n", "", "all", "path");
    const Counters now = timeline_.now().counters(node);
    for (const auto &[name, value] : now.all) {
        if (name.rfind("owner.", 0) == 0)
            continue;
        const auto path = now.path.find(name);
        said += text("%-32s %16" PRIu64 " %16" PRIu64 "\n", name.c_str(), value,
                     path == now.path.end() ? 0 : path->second);
    }
    return said;
}

std::string Monitor::events() const {
    if (!timeline_.now().wire())
        return noWire;
    const std::string rows = timeline_.now().wire()->latestStamps(12);
    return rows.empty() ? "no mark has been passed yet\n" : "tick,node,stamp\n" + rows;
}

std::string Monitor::wire() const {
    if (!timeline_.now().wire())
        return noWire;
    std::string said;
    for (const Passage &frame : timeline_.now().wire()->latestFrames(8)) {
        const std::vector<uint8_t> bytes = frameBytes(frame.nibbles);
        said += text("sent in ticks %" PRIu64 " to %" PRIu64 ", ", frame.sentFirst, frame.sentLast);
        said += frame.lost ? "lost" : text("there in %" PRIu64, frame.receivedLast);
        if (bytes.size() >= 14)
            said += text(": %zu bytes, from …%02x to …%02x, type %02x%02x", bytes.size(), bytes[11],
                         bytes[5], bytes[12], bytes[13]);
        said += "\n";
    }
    return said.empty() ? "no frame has been sent yet\n" : said;
}

} // namespace mcpi::debug
