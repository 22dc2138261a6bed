// SPDX-License-Identifier: BSD-2-Clause
#include "gzip.h"

#include "base/error.h"

#if __has_include(<zlib.h>)
#define ZLIB_CONST
#include <zlib.h>
#endif

namespace mcpi {

#if __has_include(<zlib.h>)
std::string gzipped(const std::string &text) {
    constexpr int quick = 1, gzip = 16, usual = 8; // level; zlib's window and header; memory
    z_stream stream = {};
    if (deflateInit2(&stream, quick, Z_DEFLATED, MAX_WBITS + gzip, usual, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        throw UserError("--compress: no memory for zlib.");
    std::string packed(deflateBound(&stream, text.size()), 0);
    stream.next_in = reinterpret_cast<const Bytef *>(text.data());
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef *>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}
#else
std::string gzipped(const std::string &) {
    throw UserError("--compress: this program was built without zlib.");
}
#endif

} // namespace mcpi
