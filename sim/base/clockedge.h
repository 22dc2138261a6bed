// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace mcpi {

/// Makes Verilator forget that it saw the clock high, so that the next evaluation sees an edge
/// without one in between with the clock low; false when this Verilator names its memory of the
/// clock otherwise.
template <typename Root>
auto forgetClock(Root *root, int) -> decltype(root->__Vtrigprevexpr___TOP__clk__0, true) {
    root->__Vtrigprevexpr___TOP__clk__0 = 0;
    return true;
}
template <typename Root> bool forgetClock(Root *, long) {
    return false;
}

} // namespace mcpi
