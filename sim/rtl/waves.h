// SPDX-License-Identifier: BSD-2-Clause
// A node's signals in the ticks of a span, as VCD. Only a model that was verilated with --trace-vcd
// has it.
#pragma once
#include <string>

#include "VNode.h"
#include "base/error.h"
#include "wave_options.h"

#if VM_TRACE
#include <verilated_vcd_c.h>
#endif

namespace mcpi {

#if VM_TRACE
class Waves {
  public:
    Waves(VNode &top, const WaveOptions &options) : span_(options.span), path_(options.file) {
        top.trace(&file_, depth);
        for (const auto &scope : options.scopes)
            file_.dumpvars(depth, scope);
        file_.set_time_unit("1ns");
        file_.set_time_resolution("1ns");
    }
    bool wants(uint64_t tick) const { return span_.holds(tick); }
    void sample(uint64_t tick) {
        if (!file_.isOpen())
            file_.open(path_.c_str());
        if (!file_.isOpen())
            throw UserError(path_ + ": cannot be written.");
        file_.dump(tick);
    }
    void close() { file_.close(); }

  private:
    static constexpr int depth = 99; // levels of instances
    Span span_;
    std::string path_;
    VerilatedVcdC file_;
};
#else
class Waves {
  public:
    Waves(VNode &, const WaveOptions &) {
        throw UserError("--waves: this mcpi-sim was built without waveforms.");
    }
    bool wants(uint64_t) const { return false; }
    void sample(uint64_t) {}
    void close() {}
};
#endif

} // namespace mcpi
