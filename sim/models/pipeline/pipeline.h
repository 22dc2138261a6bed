// SPDX-License-Identifier: BSD-2-Clause
// One node's recording in the time of another layout or machine (docs/explanation/model.md).
#pragma once
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/loader.h"
#include "base/machine.h"
#include "latencies.h"
#include "models/memory/trace_driven.h"
#include "record.h"

namespace mcpi::pipeline {

/// Where what lay in [from, from + bytes) of the recorded image lies now.
struct Moved {
    uint64_t from, to, bytes;
};

/// Ranges by `from`; none overlaps another.
class Map {
  public:
    explicit Map(std::vector<Moved> ranges);
    uint64_t operator()(uint64_t address) const;

  private:
    std::vector<Moved> ranges_;
    mutable std::size_t last_ = 0;
};

struct Event {
    uint64_t tick;
    uint32_t number;
};

class Pipeline {
  public:
    /// `markers`: of the image that is predicted. Counters hold what was recorded in the ticks from
    /// `begin` to before `end`, whole windows.
    Pipeline(const Machine &machine, const Map &map, const std::vector<Marker> &markers,
             uint64_t begin, uint64_t end);

    void run(const std::vector<Record> &records);

    enum Bank { all, path };
    std::array<std::map<std::string, uint64_t>, 2> counters;
    std::vector<Event> events;

  private:
    struct Register {
        uint64_t at = 0; ///< the tick its maker issued
        Maker maker = Maker::old;
        uint64_t load = 0; ///< which load
    };

    void one(const Record &r, const Record *next);
    void trap(const Record &r);
    void sleep(const Record &wait, const Record &next);
    void requests(const Record &step, const Record *from, const Record *to);
    void settle();
    uint64_t need(const Source &source, memory::Operands &operands);
    uint64_t issue(const memory::Step &step, const memory::Operands &operands);
    void passed(uint64_t pc, uint64_t recorded);
    void control(uint64_t recorded);
    void add(const char *counter, uint64_t n = 1);

    const Machine &machine_;
    const Map &map_;
    uint64_t begin_, end_;
    bool ideal_;
    uint64_t penalty_;
    Latencies latencies_;
    std::unique_ptr<memory::TraceDriven> memory_;
    std::map<uint64_t, std::vector<Marker>> markers_;

    std::array<Register, 32> registers_;
    uint64_t loads_ = 0, multiplier_ = 0, notBefore_ = 0;
    Maker blames_ = Maker::old;         ///< who made the operand that comes last
    uint64_t last_ = 0;                 ///< the tick of the step before
    std::vector<const char *> pending_; ///< events of the tick that is being lived
    bool palcode_ = false;              ///< the step before enters or leaves PALcode
    memory::Arrival arrival_ = memory::Arrival::reset;
    bool counts_ = false, open_ = false, paused_ = false, started_ = false, ended_ = false;
    bool device_ = false; ///< the step before was an access to a device
};

} // namespace mcpi::pipeline
