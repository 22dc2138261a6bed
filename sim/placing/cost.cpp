// SPDX-License-Identifier: BSD-2-Clause
#include "cost.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace mcpi::placing {

namespace {
constexpr uint64_t none = ~uint64_t{0};
} // namespace

Problem Problem::read(const std::string &path) {
    std::ifstream in(path);
    if (!in)
        throw UserError(path + ": cannot be read.");
    Problem p;
    try {
        const auto json = nlohmann::json::parse(in);
        p.cache = json.at("cache");
        p.block = json.at("block");
        p.grain = json.at("grain");
        p.start = json.at("start");
        p.pages = json.at("pages");
        p.prefetch = json.at("prefetch");
        p.demand = json.at("demand");
        p.stream = json.at("stream");
        p.sizes = json.at("sizes").get<std::vector<unsigned>>();
        for (const auto &run : json.at("runs"))
            p.runs.push_back({run.at(0), run.at(1), run.at(2), run.at(3)});
    } catch (const nlohmann::json::exception &error) {
        throw UserError(path + ": " + error.what());
    }
    for (const Run &run : p.runs)
        if (run.function >= static_cast<int>(p.sizes.size()) || !run.words ||
            (run.function >= 0 && run.offset + 4 * run.words > p.sizes[run.function]))
            throw UserError(path + ": a run lies outside its function.");
    return p;
}

Cost::Cost(const Problem &problem)
    : p_(problem), at_(problem.sizes.size()), holds_(problem.cache / problem.block) {}

Found Cost::of(const Positions &positions) {
    Found found;
    place(positions);
    if (!fits_)
        return found;
    std::fill(holds_.begin(), holds_.end(), none);
    streamed_ = none;
    pass<false>(found);
    pass<true>(found);
    return found;
}

/// In order, each in the first cache size that is free there: as layout.micro of
/// mcpi.firmware.clone.
void Cost::place(const Positions &positions) {
    fits_ = true;
    for (size_t f = 0; f < at_.size() && fits_; ++f) {
        const uint64_t size = p_.sizes[f];
        uint64_t at = p_.start + positions[f];
        const auto meets = [&](size_t other) {
            return at < at_[other] + p_.sizes[other] && at_[other] < at + size;
        };
        for (size_t other = 0; other < f;)
            if (meets(other))
                at += p_.cache, other = 0;
            else
                ++other;
        at_[f] = at;
        fits_ = at + size <= p_.start + uint64_t{p_.pages} * p_.cache;
    }
}

template <bool counts> void Cost::pass(Found &found) {
    const uint64_t sets = holds_.size();
    for (const Run &run : p_.runs) {
        const uint64_t from = run.function < 0 ? run.offset : at_[run.function] + run.offset;
        const uint64_t last = (from + 4 * run.words - 4) / p_.block;
        for (uint64_t block = from / p_.block; block <= last; ++block) {
            uint64_t &there = holds_[block % sets];
            if (there == block)
                continue;
            const bool streamed = p_.prefetch && streamed_ == block;
            there = block;
            streamed_ = block + 1;
            if (counts && run.counted) {
                ++found.misses;
                found.streamed += streamed;
                found.ticks += streamed ? p_.stream : p_.demand;
            }
        }
    }
}

} // namespace mcpi::placing
