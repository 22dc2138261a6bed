// SPDX-License-Identifier: BSD-2-Clause
// A file that is written on the way, and copies of it in memory, copies of copies too, end as the
// same bytes, packed or not. The argument: a folder.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>

#include "base/spool.h"

namespace {

std::string pack(const std::string &text) {
    return '<' + std::to_string(text.size()) + '>' + text;
}

std::string read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// `lines`: written in all; every so often a copy is made, and goes on in its own way.
bool same(const std::string &folder, mcpi::Pack packer, unsigned lines) {
    const std::string there = folder + "/there";
    const std::string suffix = packer && lines > 100'000 ? ".gz" : "";
    mcpi::Spool whole(there, packer);
    std::unique_ptr<mcpi::Spool> chain = std::make_unique<mcpi::Spool>(whole);
    std::unique_ptr<mcpi::Spool> late;
    for (unsigned n = 0; n < lines; ++n) {
        const std::string line = "line " + std::to_string(n) + '\n';
        for (mcpi::Spool *one : {&whole, chain.get(), late.get()}) {
            if (!one)
                continue;
            one->text += line;
            one->settle();
        }
        if (n % 40'001 == 0)
            chain = std::make_unique<mcpi::Spool>(*chain);
        if (n == lines * 2 / 3)
            late = std::make_unique<mcpi::Spool>(whole);
        if (n % 999)
            continue;
        const std::string latest = chain->latest(), end = "line " + std::to_string(n) + '\n';
        const std::size_t wanted = std::min<std::size_t>(6 * n, 1 << 16);
        if (latest.size() <= wanted || latest.substr(latest.size() - end.size()) != end)
            return false;
    }
    whole.write(there);
    chain->write(folder + "/chain");
    late->write(folder + "/late");
    const std::string text = read(there + suffix);
    return text.size() > lines && text == read(folder + "/chain" + suffix) &&
           text == read(folder + "/late" + suffix);
}

} // namespace

int main(int, char **argv) {
    for (const mcpi::Pack packer : {mcpi::Pack(nullptr), mcpi::Pack(pack)})
        for (const unsigned lines : {900u, 300'000u})
            if (!same(argv[1], packer, lines)) {
                std::fprintf(stderr, "%u lines: the bytes differ\n", lines);
                return 1;
            }
    return 0;
}
