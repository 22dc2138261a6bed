// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <string>

#include "base/spool.h"

namespace mcpi {

/// The text as a gzip file; several such files, one after the other, are one of all texts.
/// UserError where the program was built without zlib.
std::string gzipped(const std::string &text);

inline Pack packs(bool wanted) {
    return wanted ? gzipped : nullptr;
}

} // namespace mcpi
