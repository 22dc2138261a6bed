// SPDX-License-Identifier: BSD-2-Clause
#include "account.h"

#include <map>

namespace mcpi {

unsigned counterNumber(const std::string &name) {
    static std::map<std::string, unsigned> numbers;
    return numbers.try_emplace(name, numbers.size()).first->second;
}

} // namespace mcpi
