// SPDX-License-Identifier: BSD-2-Clause
#include "pathtrace.h"

#include <fstream>

#include "base/error.h"
#include "base/text.h"

namespace mcpi {

void PathTrace::marker(const Marker &marker) {
    if (marker.window != 1)
        return;
    if (marker.action == actionOpen) {
        window_ += !open_;
        open_ = true;
    } else if (marker.action == actionClose) {
        open_ = paused_ = false;
    } else if (marker.action == actionPause) {
        paused_ = open_;
    } else if (marker.action == actionResume) {
        paused_ = false;
    } else if (marker.action == actionInvocation) {
        ++invocation_;
    }
}

void PathTrace::retired(const Retirement &r) {
    if (open_ && !paused_ && !(r.pc & 1))
        rows_.push_back({window_, invocation_, r.pc, r.memory ? r.address : 0,
                         r.memory ? (r.store ? 's' : 'l') : '\0'});
}

void PathTrace::write(const std::string &folder) const {
    const std::string path = folder + "/trace.csv";
    std::ofstream out(path);
    out << "window,invocation,pc,kind,address\n";
    for (const auto &r : rows_) {
        out << r.window << ',' << r.invocation << ',' << hex(r.pc) << ',';
        if (r.kind)
            out << (r.kind == 's' ? "store," : "load,") << hex(r.address) << '\n';
        else
            out << ",\n";
    }
    if (!out.flush())
        throw UserError(path + ": cannot be written.");
}

} // namespace mcpi
