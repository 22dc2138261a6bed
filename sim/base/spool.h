// SPDX-License-Identifier: BSD-2-Clause
// A file that is written while a run goes on, so that memory does not grow with it: what has come
// lies in memory until it is much.
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "error.h"

namespace mcpi {

class Spool {
  public:
    /// Without a file everything stays in memory.
    explicit Spool(std::string file = "") : file_(std::move(file)) {}
    /// The other goes on with its file; a copy stays in memory.
    Spool(const Spool &other) : text(other.whole()) {}
    Spool(Spool &&) = default;

    std::string text; ///< add here

    /// Call this now and then: much text goes to the file.
    void settle() {
        if (file_.empty() || text.size() < most)
            return;
        put(file_);
        written_ += text.size();
        text.clear();
    }
    /// The whole file is there, or, in a process that was forked since, in another place. UserError
    /// when it cannot be written.
    void write(const std::string &path) {
        if (path != file_ && written_) {
            std::filesystem::copy_file(file_, path,
                                       std::filesystem::copy_options::overwrite_existing);
        }
        put(path);
        std::filesystem::resize_file(path, written_ + text.size());
    }

  private:
    static constexpr std::size_t most = 1 << 20;

    /// In its place in the file: a forked process may have written there.
    void put(const std::string &path) const {
        auto mode = std::ios::binary | std::ios::out;
        std::fstream file(path, written_ ? mode | std::ios::in : mode | std::ios::trunc);
        file.seekp(static_cast<std::streamoff>(written_));
        file.write(text.data(), static_cast<std::streamsize>(text.size()));
        if (!file.flush())
            throw UserError(path + ": cannot be written; is the disk full?");
    }
    std::string whole() const {
        std::string all(written_, 0);
        if (written_ && !std::ifstream(file_, std::ios::binary)
                             .read(all.data(), static_cast<std::streamsize>(written_)))
            throw UserError(file_ + ": cannot be read again.");
        return all + text;
    }

    std::string file_;
    uint64_t written_ = 0; ///< bytes that are in the file
};

} // namespace mcpi
