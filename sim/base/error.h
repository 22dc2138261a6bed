// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdexcept>
#include <string>

namespace mcpi {

/// Something a person can put right: what was wrong, where, what to do. Ends in exit status 2.
struct UserError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The run itself went wrong: a hang, a mismatch, a broken link. Ends in exit status 1.
struct RunError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace mcpi
