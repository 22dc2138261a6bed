// SPDX-License-Identifier: BSD-2-Clause
// A resolved machine (JSON from tools/mcpi/machine/profile.py) and the names of a node (Node.json).
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mcpi {

/// Parameters and memory map; a name that is not there is a UserError.
class Machine {
  public:
    explicit Machine(const std::string &path);
    ~Machine();
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;

    const std::string &name() const { return name_; }
    /// Integers as they are, sizes in bytes, off and on as 0 and 1, choices by their position.
    uint64_t parameter(const std::string &key) const;
    bool has(const std::string &key) const;
    /// Ticks between two timer interrupts, rounded to nearest.
    uint64_t timerPeriod() const;
    /// UserError unless the host register of run-time parameter `key` may hold `value`.
    void checkRegister(const std::string &key, uint64_t value) const;
    uint64_t base(const std::string &section, const std::string &entry) const;
    uint64_t size(const std::string &section, const std::string &entry) const;
    uint64_t offset(const std::string &section, const std::string &entry) const;
    unsigned interruptBit(const std::string &source) const;
    /// Names of what it counts, as machines/counters.toml has them: owners and causes are rows too.
    std::vector<std::string> counters() const;
    /// Return true if the exact engine's glide counts all of them.
    bool glides() const;

  private:
    uint64_t field(const std::string &section, const std::string &entry, const char *name) const;

    struct Json;
    std::string path_, name_;
    Json *json_;
};

/// Facts that elaboration wrote next to Node.v: names and numbers of host registers and counters.
struct NodeInfo {
    NodeInfo() = default;
    explicit NodeInfo(const std::string &path);

    std::vector<std::string> owners, counters;
    std::vector<std::string> windows; ///< from number 1 on
    std::map<std::string, unsigned> registers;
    unsigned comparators = 0;
    struct Bits {
        unsigned first, width;
    };
    unsigned cores = 0;                ///< of a node with private b-caches
    std::map<std::string, Bits> trace; ///< fields of a core's trace
    std::string rtlDigest;

    /// Number of a host register; UserError when this node has none of that name.
    unsigned number(const std::string &name) const;
};

} // namespace mcpi
