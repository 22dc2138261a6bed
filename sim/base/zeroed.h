// SPDX-License-Identifier: BSD-2-Clause
// Memory that begins as zeros and costs nothing until it is touched: a machine's RAM is large and a
// run uses little of it.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

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

/// So many T, each with zeros in all bits until it is written, that may be forgotten: a copy has
/// zeros again.
template <typename T> class Forgotten {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    explicit Forgotten(std::size_t count) : bytes_(count * sizeof(T)) {}
    Forgotten(const Forgotten &other) : bytes_(other.bytes_.size()) {}
    Forgotten &operator=(const Forgotten &) = delete;
    T &operator[](std::size_t at) { return reinterpret_cast<T *>(bytes_.data())[at]; }

  private:
    Zeroed bytes_;
};

} // namespace mcpi
