// SPDX-License-Identifier: BSD-2-Clause
// A file that is written while a run goes on, so that memory does not grow with it: what has come
// lies in memory until it is much. If it is packed, what was much lies in the file as one part
// after the other, and the file's name has a suffix more.
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "error.h"

namespace mcpi {

/// Packs a part of a file; null: files are not packed.
using Pack = std::string (*)(const std::string &);

class Spool {
  public:
    /// Without a file everything stays in memory.
    explicit Spool(std::string file = "", Pack pack = nullptr)
        : pack_(file.empty() ? nullptr : pack), file_(std::move(file)) {}
    /// The other goes on with its file; a copy stays in memory.
    Spool(const Spool &other) : text(other.text), pack_(other.pack_), before_(other.whole()) {}
    Spool(Spool &&) = default;

    std::string text; ///< add here

    /// Call this now and then: much text goes to the file.
    void settle() {
        if (file_.empty() || text.size() < most)
            return;
        written_ += put(named(file_), part());
        text.clear();
    }
    /// The whole file is there, or, in a process that was forked since, in another place. UserError
    /// when it cannot be written.
    void write(const std::string &path) {
        namespace fs = std::filesystem;
        const std::string target = named(path);
        if (pack_)
            fs::remove(packed() ? path : path + suffix); // of an earlier run
        if (path != file_ && written_)
            fs::copy_file(named(file_), target, fs::copy_options::overwrite_existing);
        const uint64_t more = put(target, before_ + part());
        fs::resize_file(target, written_ + more);
    }

  private:
    static constexpr std::size_t most = 1 << 20;
    static constexpr const char *suffix = ".gz";

    /// A file that is never much is as it is.
    bool packed() const { return pack_ && (written_ || !before_.empty() || text.size() >= most); }
    std::string named(const std::string &path) const { return packed() ? path + suffix : path; }
    std::string part() const { return packed() ? pack_(text) : text; }
    /// In its place in the file: a forked process may have written there.
    uint64_t put(const std::string &path, const std::string &bytes) const {
        auto mode = std::ios::binary | std::ios::out;
        std::fstream file(path, written_ ? mode | std::ios::in : mode | std::ios::trunc);
        file.seekp(static_cast<std::streamoff>(written_));
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (!file.flush())
            throw UserError(path + ": cannot be written; is the disk full?");
        return bytes.size();
    }
    /// The bytes in the file, behind those that a copy has of it.
    std::string whole() const {
        std::string all(written_, 0);
        if (written_ && !std::ifstream(named(file_), std::ios::binary)
                             .read(all.data(), static_cast<std::streamsize>(written_)))
            throw UserError(file_ + ": cannot be read again.");
        return before_ + all;
    }

    Pack pack_;
    std::string file_, before_; ///< a copy's: what the other had in its file
    uint64_t written_ = 0;      ///< bytes that are in the file
};

} // namespace mcpi
