// SPDX-License-Identifier: BSD-2-Clause
// A file that is written while a run goes on, so that memory does not grow with it: what has come
// lies in memory until it is much. If it is packed, what was much lies in the file as one part
// after the other, and the file's name has a suffix more. Copies share the parts before.
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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
    Spool(const Spool &other)
        : text(other.text), pack_(other.pack_), before_(other.before_), recent_(other.recent_),
          recentBytes_(other.recentBytes_), last_(other.last_) {
        if (other.written_)
            before_.push_back(std::make_shared<const std::string>(other.inFile()));
    }
    Spool(Spool &&) = default;

    std::string text; ///< add here

    /// Call this now and then: much text goes to the file.
    void settle() {
        if (recentBytes_ + text.size() < most) {
            if (file_.empty() && text.size() >= some) {
                recentBytes_ += text.size();
                recent_.push_back(std::make_shared<const std::string>(std::exchange(text, {})));
            }
            return;
        }
        const std::string all = recent();
        if (file_.empty())
            before_.push_back(std::make_shared<const std::string>(part(all)));
        else
            written_ += put(named(file_), part(all));
        recent_.clear();
        recentBytes_ = 0;
        text.clear();
        last_ = std::make_shared<const std::string>(all);
    }
    /// The text that settled last, and what has come since.
    std::string latest() const { return (last_ ? *last_ : "") + recent(); }
    /// The whole file is there, or, in a process that was forked since, in another place. UserError
    /// when it cannot be written.
    void write(const std::string &path) {
        namespace fs = std::filesystem;
        const std::string target = named(path);
        if (pack_)
            fs::remove(packed() ? path : path + suffix); // of an earlier run
        if (path != file_ && written_)
            fs::copy_file(named(file_), target, fs::copy_options::overwrite_existing);
        const uint64_t more = put(target, joined(before_) + part(recent()));
        fs::resize_file(target, written_ + more);
    }

  private:
    using Part = std::shared_ptr<const std::string>;

    static constexpr std::size_t most = 1 << 20, some = 1 << 14;
    static constexpr const char *suffix = ".gz";

    /// A file that is never much is as it is.
    bool packed() const {
        return pack_ && (written_ || !before_.empty() || recentBytes_ + text.size() >= most);
    }
    std::string named(const std::string &path) const { return packed() ? path + suffix : path; }
    std::string part(const std::string &all) const { return packed() ? pack_(all) : all; }
    static std::string joined(const std::vector<Part> &parts) {
        std::string all;
        for (const Part &one : parts)
            all += *one;
        return all;
    }
    /// Text that has not settled.
    std::string recent() const { return joined(recent_) + text; }
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
    std::string inFile() const {
        std::string all(written_, 0);
        if (!std::ifstream(named(file_), std::ios::binary)
                 .read(all.data(), static_cast<std::streamsize>(written_)))
            throw UserError(file_ + ": cannot be read again.");
        return all;
    }

    Pack pack_;
    std::string file_;
    std::vector<Part> before_;    ///< without a file: what it would have
    std::vector<Part> recent_;    ///< text before `text`
    std::size_t recentBytes_ = 0; ///< in it
    Part last_;                   ///< the text that settled last
    uint64_t written_ = 0;        ///< bytes that are in the file
};

} // namespace mcpi
