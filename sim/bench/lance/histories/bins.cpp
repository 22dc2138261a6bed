// SPDX-License-Identifier: BSD-2-Clause
#include "bins.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "setting.h"

namespace mcpi::histories {
namespace {

/// Kinds of runs, by their flags.
enum Runs : unsigned {
    STEPS = 1, ///< without --any-time and --lasting
    DRAWN = 2, ///< of these, without --fitted
    WIDE = 4,
    ODD = 8,
    LASTING = 16,
    ANY_TIME = 32,
};

constexpr std::size_t columns = 100;

struct Input {
    const char *name;
    unsigned runs; ///< in which each value is drawn
    std::vector<const char *> values;
};

const std::vector<Input> inputs = {
    {"times", DRAWN | ANY_TIME, {"none", "some", "fitted"}},
    {"poll", STEPS, {"20000 ticks", "280000 ticks"}},
    {"memory", STEPS, {"up to 10 ticks", "up to 40 ticks"}},
    {"SQE test", STEPS | ANY_TIME, {"answers", "does not"}},
    {"duplex", STEPS | ANY_TIME, {"half", "full"}},
    {"MODE",
     STEPS | ANY_TIME,
     {"none", "PROM", "DTCR", "DRTY", "DRX", "DTX", "LOOP", "LOOP INTL", "LOOP INTL DTCR", "COLL",
      "EMBA"}},
    {"PADR", STEPS | ANY_TIME, {"the ROM's", "another"}},
    {"ring entries", STEPS, {"1", "2", "4", "8", "16"}},
    {"ring entries", WIDE, {"32", "64", "128"}},
    {"receive buffer", STEPS, {"under 64 bytes", "64 to 1535 bytes", "1536 bytes"}},
    {"receive buffer begins", ODD | ANY_TIME, {"on 16 bytes", "even", "odd"}},
    {"CSR3", STEPS, {"0", "BSWP", "other"}},
    {"start", STEPS, {"INIT STRT", "INIT, then STRT", "RESET, INIT"}},
    {"step",
     STEPS,
     {"a frame out", "a frame out by a poll", "a frame in", "a frame each way", "refill",
      "registers", "frames out", "frames in", "frames each way", "carrier of others",
      "carrier goes", "DMA off", "memory late", "memory fails", "INIT with dead memory", "UFLO",
      "OFLO", "STOP in flight", "RESET in flight"}},
    {"step", LASTING, {"a frame out", "a frame in", "refill", "frames out", "frames in"}},
    {"transmit buffers", STEPS | ANY_TIME, {"one", "a chain"}},
    {"transmit ends", STEPS | ANY_TIME, {"ENP in the last", "cut off"}},
    {"STP", STEPS | ANY_TIME, {"in the first", "in a later one", "in none"}},
    {"transmit buffer begins", STEPS | ANY_TIME, {"on 16 bytes", "even", "odd"}},
    {"transmit bytes", STEPS, {"1", "under 64", "up to 1518", "more"}},
    {"collisions", STEPS, {"0", "1", "2", "3", "16"}},
    {"received for",
     STEPS | ANY_TIME,
     {"PADR", "another station", "the ROM's, which is another", "all", "a group"}},
    {"received", STEPS, {"whole", "a runt", "bad FCS", "dribble", "RX_ER"}},
    {"received", ODD, {"long"}},
    // Bins that are exact to the tick on two cards only: any_time.cpp.
    {"poll and memory",
     ANY_TIME,
     {"slow polls", "short polls, fast memory", "short polls, slow memory"}},
    {"memory, any time", ANY_TIME, {"up to 40", "up to 400", "up to 4400", "late", "fails"}},
    {"ring entries, any time", ANY_TIME, {"1", "2", "4", "8"}},
    {"first frame", ANY_TIME, {"in the first 9.6 us", "later"}},
    {"between", ANY_TIME, {"nothing", "up to 20", "up to 300", "up to 3000", "up to 30000"}},
    {"RESET", ANY_TIME, {"while stopped", "while INIT reads", "while running"}},
    {"in RESET", ANY_TIME, {"a write of CSR0", "a read", "nothing"}},
    {"STOP", ANY_TIME, {"while stopped", "while INIT reads", "while running"}},
    {"CSR0, no STOP", ANY_TIME, {"while stopped", "while INIT reads", "while running"}},
    {"CSR1 to CSR3", ANY_TIME, {"while stopped", "while INIT reads", "while running"}},
    {"five writes and STOP", ANY_TIME, {"while stopped", "while INIT reads", "while running"}},
    {"pointer", ANY_TIME, {"while stopped", "while INIT reads", "while running"}},
    {"pointer to", ANY_TIME, {"one window", "the other", "no memory"}},
    {"SSR, DMA off", ANY_TIME, {"while stopped", "while INIT reads", "while running"}},
    {"SIMR", ANY_TIME, {"while stopped", "while INIT reads", "while running"}},
    {"SIMR to", ANY_TIME, {"0", "chip", "error", "both"}},
    {"bytes of a register", ANY_TIME, {"none", "some", "all"}},
    {"read", ANY_TIME, {"RDP", "RAP", "SIR", "SSR", "SIMR", "pointer", "ROM"}},
    {"collision, any time", ANY_TIME, {"planned", "forgotten", "carrier goes"}},
};

unsigned runsOf(const Setting &s) {
    if (s.anyTime)
        return ANY_TIME;
    if (s.lasting)
        return LASTING;
    return STEPS | (s.fitted ? 0 : DRAWN) | (s.wide ? WIDE : 0) | (s.odd ? ODD : 0);
}

} // namespace

void Bins::hit(const char *input, const std::string &value) {
    for (const Input &i : inputs)
        if (i.name == std::string(input) &&
            std::find(i.values.begin(), i.values.end(), value) != i.values.end()) {
            ++hits_[{input, value}];
            return;
        }
    throw std::logic_error(std::string(input) + ", " + value + ": no bin of bins.cpp");
}

uint64_t Bins::hits(const std::string &input, const std::string &value) const {
    const auto found = hits_.find({input, value});
    return found == hits_.end() ? 0 : found->second;
}

void Bins::print(const Setting &setting) const {
    std::printf("  bins:\n");
    for (const Input &i : inputs) {
        if (!(i.runs & runsOf(setting)))
            continue;
        std::string line = "    " + (i.name + std::string(24, ' ')).substr(0, 24);
        const char *between = "";
        for (const char *value : i.values) {
            const std::string bin = value + (" " + std::to_string(hits(i.name, value)));
            if (line.size() + bin.size() + 3 > columns) {
                std::printf("%s,\n", line.c_str());
                line = std::string(28, ' ');
                between = "";
            }
            line += between + bin;
            between = ", ";
        }
        std::printf("%s\n", line.c_str());
    }
}

std::vector<std::string> Bins::empty(const Setting &setting) const {
    std::vector<std::string> found;
    for (const Input &i : inputs)
        for (const char *value : i.values)
            if (i.runs & runsOf(setting) && !hits(i.name, value))
                found.push_back(std::string(i.name) + ": " + value);
    return found;
}

} // namespace mcpi::histories
