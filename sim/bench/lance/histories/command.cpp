// SPDX-License-Identifier: BSD-2-Clause
// Random histories of the Verilated LANCE next to the exact engine's card; lance-histories.md.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cinttypes>
#include <cstdio>

#include "any_time.h"
#include "bench/lance/commands.h"
#include "bench/lance/setting.h"
#include "difference.h"
#include "history.h"
#include "registers.h"

namespace mcpi::histories {
namespace {

struct Options {
    std::string machine, exact;
    uint64_t first = 0, count = 400;
    unsigned steps = 12;
    std::vector<unsigned> without;
    bool story = false, whole = false, fitted = false, wide = false, acknowledge = false;
    bool odd = false, lasting = false, plain = false, anyTime = false, bins = false;
    std::string again; ///< the command, but for seeds and story
};

Setting settingOf(const std::string &path) {
    const Machine machine(path);
    Setting setting;
    setting.times = lanceTimes(machine, path);
    if (setting.times.nibble_ticks != nibbleTicks)
        throw UserError(path + ": histories are for a wire of " + std::to_string(nibbleTicks) +
                        " ticks a nibble: 10 Mb/s and 175 ticks a microsecond.");
    setting.cLance = machine.parameter("lance.chip") == 1;
    return setting;
}

/// The difference, and the story up to there; empty: no difference.
struct Outcome {
    std::string difference;
    std::vector<std::string> story;
};

template <typename Kind>
Outcome ran(Kind history, unsigned steps, const std::vector<bool> &without) {
    try {
        history.run(steps, without);
    } catch (const Difference &difference) {
        return {difference.what(), history.story()};
    }
    return {"", history.story()};
}

Outcome one(const Setting &setting, uint64_t seed, unsigned steps, const std::vector<bool> &without,
            Tally &tally) {
    return setting.anyTime ? ran(AnyTime(setting, seed, tally), steps, without)
                           : ran(History(setting, seed, tally), steps, without);
}

/// A word of a command, as a shell takes it.
std::string quoted(const std::string &word) {
    if (word.find_first_of(" '\"\\$&;()<>|*?`\t\n") == std::string::npos)
        return word;
    std::string all = "'";
    for (const char c : word)
        all += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return all + "'";
}

/// The command as it was given, but for seeds and story.
std::string again(const CLI::App &sub) {
    std::string words = " " + sub.get_name();
    for (const CLI::Option *option : sub.get_options()) {
        const std::string name = option->get_name();
        if (!option->count() || name == "--first" || name == "--count" || name == "--story")
            continue;
        words += " " + name;
        if (option->get_expected_max() > 0)
            for (const auto &value : option->results())
                words += " " + quoted(value);
    }
    return words;
}

/// Leaves out every step without which there still is a difference.
Outcome shrink(const Setting &setting, uint64_t seed, unsigned steps, std::vector<bool> &without,
               Outcome found) {
    Tally nobody;
    without.resize(steps);
    for (unsigned n = steps; n-- > 0;) {
        if (without[n])
            continue;
        without[n] = true;
        Outcome shorter = one(setting, seed, steps, without, nobody);
        if (shorter.difference.empty())
            without[n] = false;
        else
            found = std::move(shorter);
    }
    return found;
}

void bits(const char *what, const uint64_t *counts, std::initializer_list<const char *> names) {
    std::printf("  %s:", what);
    unsigned bit = 16;
    for (const char *name : names)
        if (--bit, *name)
            std::printf(" %s %" PRIu64, name, counts[bit]);
    std::printf("\n");
}

/// `counted`: the bits that the chip has set were.
void report(const Tally &t, bool counted) {
    std::printf("  %" PRIu64 " steps, %" PRIu64 " restarts, %" PRIu64 " stops in flight, %" PRIu64
                " of dead and %" PRIu64 " of slow memory\n",
                t.steps, t.restarts, t.stops, t.dead, t.slow);
    std::printf("  %" PRIu64 " attempts to send, %" PRIu64 " frames to the chip, %" PRIu64
                " DMA commands, %.0f s of virtual time, %" PRIu64 " evaluations\n",
                t.attempts, t.received, t.commands, double(t.ticks) / 175e6, t.evaluations);
    if (!counted)
        return;
    bits("CSR0", t.csr0, {"", "BABL", "CERR", "MISS", "MERR", "RINT", "TINT", "IDON"});
    bits("RMD1", t.rx, {"", "ERR", "FRAM", "OFLO", "CRC", "BUFF", "STP", "ENP"});
    bits("TMD1", t.tx, {"", "ERR", "", "MORE", "ONE", "DEF", "STP", "ENP"});
    bits("TMD3", t.tx3, {"BUFF", "UFLO", "", "LCOL", "LCAR", "RTRY"});
}

int run(const Options &o) {
    Setting setting = settingOf(o.machine);
    setting.fitted = o.fitted;
    setting.wide = o.wide;
    setting.acknowledge = o.acknowledge;
    setting.odd = o.odd;
    setting.lasting = o.lasting;
    setting.plain = o.plain;
    setting.anyTime = o.anyTime;
    const ExactLibrary exact(o.exact);
    setting.exact = &exact;
    std::vector<bool> without(o.steps);
    for (const unsigned n : o.without)
        if (n < o.steps)
            without[n] = true;
    Tally tally;
    const auto begun = std::chrono::steady_clock::now();
    for (uint64_t seed = o.first; seed < o.first + o.count; ++seed) {
        Outcome found = one(setting, seed, o.steps, without, tally);
        if (o.story)
            for (const auto &line : found.story)
                std::printf("  %s\n", line.c_str());
        if (found.difference.empty())
            continue;
        std::printf("seed %" PRIu64 ": %s\nagain:%s --first %" PRIu64 " --count 1 --story\n", seed,
                    found.difference.c_str(), o.again.c_str(), seed);
        if (o.whole)
            return 1;
        found = shrink(setting, seed, o.steps, without, std::move(found));
        std::printf("the shortest that differs, %s:\n", found.difference.c_str());
        for (const auto &line : found.story)
            std::printf("  %s\n", line.c_str());
        std::printf("without steps:");
        for (unsigned n = 0; n < o.steps; ++n)
            if (without[n])
                std::printf(" %u", n);
        std::printf("\n");
        return 1;
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;
    std::printf("%" PRIu64 " histories, seeds %" PRIu64 " to %" PRIu64
                ", 0 differences, %.0f s, %.0f histories a second\n",
                o.count, o.first, o.first + o.count - 1, wall.count(),
                double(o.count) / wall.count());
    report(tally, !setting.anyTime);
    if (!o.bins)
        return 0;
    tally.bins.print(setting);
    const auto empty = tally.bins.empty(setting);
    for (const auto &bin : empty)
        std::printf("  empty: %s\n", bin.c_str());
    return empty.empty() ? 0 : 1;
}

} // namespace

void addCommand(CLI::App &app, int &status) {
    auto *sub = app.add_subcommand("histories", "random ring histories (lance-histories.md)");
    auto o = std::make_shared<Options>();
    sub->add_option("--machine", o->machine, "resolved machine, JSON")->required();
    sub->add_option("--exact", o->exact,
                    "liblance-exact.so: the exact engine's card must do the same in each tick")
        ->required();
    sub->add_option("--first", o->first, "first seed");
    sub->add_option("--count", o->count, "histories; one a seed")->check(CLI::Range(1, 1 << 30));
    sub->add_option("--steps", o->steps, "steps of a history")->check(CLI::Range(1, 1000));
    sub->add_option("--without", o->without, "steps to leave out");
    sub->add_flag("--story", o->story, "print what happens");
    sub->add_flag("--fitted", o->fitted, "the machine's times in each history");
    sub->add_flag("--acknowledge", o->acknowledge, "all of CSR0 before each step");
    sub->add_flag("--wide", o->wide, "rings of up to 128 entries, addresses of 24 bits");
    sub->add_flag("--odd", o->odd, "buffers of any size anywhere, long frames");
    sub->add_flag("--lasting", o->lasting, "frames and no restarts; rings of 8 to 128 entries");
    sub->add_flag("--whole", o->whole, "look for no shorter history that differs");
    sub->add_flag("--plain", o->plain,
                  "PADR is the ROM's, STP in the first buffer alone, no RESET");
    sub->add_flag("--any-time", o->anyTime, "any write at any time");
    sub->add_flag("--bins", o->bins, "print what was drawn how often; an empty bin is a failure");
    sub->callback([o, sub, &app, &status] {
        o->again = " " + quoted(app.get_name()) + again(*sub);
        status = run(*o);
    });
}

} // namespace mcpi::histories
