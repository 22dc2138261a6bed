// SPDX-License-Identifier: BSD-2-Clause
// The free inputs of the generator of histories, and how often each value was drawn. A value that
// no run draws is a hole in the test: a long run fails on it (lance-histories.md, Bins).
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mcpi::histories {

struct Setting;

class Bins {
  public:
    /// A value of an input; both stand in the list of bins.cpp, or std::logic_error is thrown.
    void hit(const char *input, const std::string &value);
    /// The one of two values.
    void hit(const char *input, bool first, const char *one, const char *other) {
        hit(input, first ? one : other);
    }
    /// Hits of each value that the histories of a setting can draw, as a table.
    void print(const Setting &setting) const;
    /// Values of them that none has drawn, each with its input.
    std::vector<std::string> empty(const Setting &setting) const;

  private:
    uint64_t hits(const std::string &input, const std::string &value) const;

    std::map<std::pair<std::string, std::string>, uint64_t> hits_;
};

/// Name of a MODE, without COLL and EMBA.
const char *modeName(unsigned mode);
/// Where a buffer begins.
const char *beginning(uint32_t address);

} // namespace mcpi::histories
