// SPDX-License-Identifier: BSD-2-Clause
#include "record.h"

#include <algorithm>
#include <cstring>
#include <fstream>

#include "base/error.h"

namespace mcpi::pipeline {

void write(const std::string &path, unsigned node, std::vector<Record> records) {
    std::stable_sort(records.begin(), records.end(), [](const Record &a, const Record &b) {
        return a.tick != b.tick ? a.tick < b.tick : (a.what == dma) > (b.what == dma);
    });
    Header header = {};
    std::memcpy(header.magic, magic, sizeof header.magic);
    header.version = version;
    header.node = node;
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char *>(&header), sizeof header);
    out.write(reinterpret_cast<const char *>(records.data()),
              static_cast<std::streamsize>(records.size() * sizeof(Record)));
    if (!out.flush())
        throw UserError(path + ": cannot be written.");
}

std::vector<Record> read(const std::string &path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = in.tellg();
    Header header = {};
    in.seekg(0);
    if (!in.read(reinterpret_cast<char *>(&header), sizeof header) ||
        std::memcmp(header.magic, magic, sizeof header.magic) != 0 || header.version != version ||
        (size - static_cast<std::streamoff>(sizeof header)) % sizeof(Record))
        throw UserError(path + ": no recording of this version; make it again.");
    std::vector<Record> records((static_cast<std::size_t>(size) - sizeof header) / sizeof(Record));
    in.read(reinterpret_cast<char *>(records.data()),
            static_cast<std::streamsize>(records.size() * sizeof(Record)));
    return records;
}

} // namespace mcpi::pipeline
