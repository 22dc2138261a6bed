// SPDX-License-Identifier: BSD-2-Clause
#include "faults.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "frame.h"
#include "pcap.h"

namespace mcpi {
namespace {

/// splitmix64 of `n`: the chance of one frame depends on nothing but the seed and its number.
uint64_t bits(uint64_t n) {
    n += 0x9E3779B97F4A7C15;
    n = (n ^ n >> 30) * 0xBF58476D1CE4E5B9;
    n = (n ^ n >> 27) * 0x94D049BB133111EB;
    return n ^ n >> 31;
}

double chance(uint64_t seed, uint64_t n, uint64_t what) {
    return static_cast<double>(bits(bits(seed * 8 + what) + n) >> 11) / 9007199254740992.0;
}

template <typename T> T number(const std::string &option, const std::string &text) {
    std::istringstream in(text);
    T value{};
    if (!(in >> value) || !in.eof() || text[0] == '-')
        throw UserError("--wire " + option + ": a number is wanted.");
    return value;
}

} // namespace

void Faults::set(const std::string &option, uint64_t ticksPerUs) {
    const auto equals = option.find('=');
    const std::string key = option.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : option.substr(equals + 1);
    const std::map<std::string, double *> rates = {{"lose", &lose},
                                                   {"corrupt", &corrupt},
                                                   {"duplicate", &duplicate},
                                                   {"delay", &delay},
                                                   {"reorder", &reorder}};
    if (const auto rate = rates.find(key); rate != rates.end()) {
        *rate->second = number<double>(option, value);
        if (*rate->second > 1)
            throw UserError("--wire " + option + ": a probability is 0 to 1.");
    } else if (key == "delay_ticks") {
        delayTicks = number<uint64_t>(option, value);
        if (delayTicks == 0)
            throw UserError("--wire " + option + ": 1 tick or more is wanted.");
    } else if (key == "patience_ticks") {
        patience = number<uint64_t>(option, value);
    } else if (key == "seed") {
        seed = number<uint64_t>(option, value);
    } else if (key == "script") {
        readScript(value);
    } else if (key == "replay") {
        for (const auto &frame : readPcap(value, ticksPerUs))
            injections.push_back({frame.tick, frameNibbles(frame.bytes)});
    } else {
        throw UserError("--wire " + option +
                        ": there are lose, corrupt, duplicate, delay, reorder, delay_ticks, "
                        "patience_ticks, seed, script and replay.");
    }
    std::stable_sort(injections.begin(), injections.end(),
                     [](const auto &a, const auto &b) { return a.tick < b.tick; });
}

/// Lines `frame N lose|duplicate|reorder|delay TICKS|corrupt NIBBLE` and `inject TICK HEX`.
void Faults::readScript(const std::string &path) {
    std::ifstream in(path);
    if (!in)
        throw UserError(path + ": cannot be read; is the path right?");
    std::string line;
    for (unsigned n = 1; std::getline(in, line); ++n) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string what, action;
        uint64_t where = 0;
        if (!(words >> what))
            continue;
        bool good = static_cast<bool>(words >> where >> action);
        if (what == "frame" && good) {
            Fault &f = script_[where];
            if (action == "lose")
                f.lose = true;
            else if (action == "duplicate")
                f.duplicate = true;
            else if (action == "reorder")
                f.reorder = true;
            else if (action == "delay")
                good = static_cast<bool>(words >> f.delay);
            else if (action == "corrupt")
                good = static_cast<bool>(words >> f.corrupt);
            else
                good = false;
        } else if (what == "inject" && good) {
            std::vector<uint8_t> bytes;
            good = action.size() % 2 == 0 &&
                   action.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
            for (std::size_t i = 0; good && i < action.size(); i += 2)
                bytes.push_back(static_cast<uint8_t>(std::stoul(action.substr(i, 2), nullptr, 16)));
            injections.push_back({where, frameNibbles(withFcs(bytes))});
        } else {
            good = false;
        }
        std::string more; // a negative number would be a huge one
        if (!good || words >> more || words.str().find('-') != std::string::npos)
            throw UserError(path + ", line " + std::to_string(n) + ": '" + line +
                            "' is neither `frame N lose|duplicate|reorder|delay TICKS|corrupt "
                            "NIBBLE` nor `inject TICK HEX`.");
    }
}

Fault Faults::of(uint64_t n) const {
    if (const auto it = script_.find(n); it != script_.end())
        return it->second;
    Fault f;
    f.lose = chance(seed, n, 0) < lose;
    f.duplicate = chance(seed, n, 1) < duplicate;
    f.reorder = chance(seed, n, 2) < reorder;
    if (chance(seed, n, 3) < delay)
        f.delay = 1 + bits(bits(seed * 8 + 5) + n) % delayTicks;
    if (chance(seed, n, 4) < corrupt)
        f.corrupt = bits(bits(seed * 8 + 6) + n) >> 1;
    return f;
}

bool Faults::any() const {
    return lose > 0 || corrupt > 0 || duplicate > 0 || delay > 0 || reorder > 0 ||
           !script_.empty() || !injections.empty();
}

} // namespace mcpi
