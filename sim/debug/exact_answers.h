// SPDX-License-Identifier: BSD-2-Clause
// Answers to words of `monitor` that any machine of the exact engine gives.
#pragma once
#include "exact_machines.h"

namespace mcpi::debug {

/// Answer to `why` and `caches`; none: another word.
std::optional<std::string> exactAnswer(const ExactMachines &machines, Timeline &timeline,
                                       const std::string &word, const std::string &argument,
                                       unsigned thread);

} // namespace mcpi::debug
