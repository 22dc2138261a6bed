// SPDX-License-Identifier: BSD-2-Clause
// Memory that begins as zeros and costs nothing until it is touched: a machine's RAM is large and a
// run uses little of it.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace mcpi {

class Zeroed {
  public:
    explicit Zeroed(uint64_t size)
        : bytes_(static_cast<uint8_t *>(std::calloc(size, 1)), &std::free), size_(size) {
        if (!bytes_ && size)
            throw std::bad_alloc();
    }
    uint64_t size() const { return size_; }
    uint8_t *data() { return bytes_.get(); }
    const uint8_t *data() const { return bytes_.get(); }
    uint8_t &operator[](uint64_t at) { return bytes_.get()[at]; }
    const uint8_t &operator[](uint64_t at) const { return bytes_.get()[at]; }

  private:
    std::unique_ptr<uint8_t, void (*)(void *)> bytes_;
    uint64_t size_;
};

} // namespace mcpi
