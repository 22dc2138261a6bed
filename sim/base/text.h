// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <string>

namespace mcpi {

/// Format as printf does; a text longer than a line is cut.
__attribute__((format(printf, 1, 2))) inline std::string text(const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return line;
}

inline std::string hex(uint64_t number) {
    return text("%" PRIx64, number);
}

} // namespace mcpi
