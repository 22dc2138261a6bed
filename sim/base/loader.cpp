// SPDX-License-Identifier: BSD-2-Clause
#include "loader.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include "error.h"

namespace mcpi {
namespace {

constexpr uint16_t machineAlpha = 0x9026; // EM_ALPHA; glibc's elf.h has it, others differ
constexpr uint64_t segmentLimit = uint64_t{1} << 34;

std::vector<uint8_t> readFile(const std::string &path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = in.tellg();
    std::vector<uint8_t> file(static_cast<std::size_t>(std::max<std::streamoff>(size, 0)));
    in.seekg(0);
    if (!in.read(reinterpret_cast<char *>(file.data()), size))
        throw UserError(path + ": cannot be read; is the path right?");
    return file;
}

/// A structure of the file at `offset`; UserError when the file ends before it does.
template <typename T>
T at(const std::string &path, const std::vector<uint8_t> &file, uint64_t offset, const char *what) {
    if (offset > file.size() || file.size() - offset < sizeof(T))
        throw UserError(path + ": truncated: the file ends inside its " + what + ".");
    T value;
    std::memcpy(&value, &file[offset], sizeof(T));
    return value;
}

Elf64_Ehdr header(const std::string &path, const std::vector<uint8_t> &file) {
    if (file.size() < EI_NIDENT || std::memcmp(file.data(), ELFMAG, SELFMAG) != 0)
        throw UserError(path + ": not an ELF file.");
    if (file[EI_CLASS] != ELFCLASS64 || file[EI_DATA] != ELFDATA2LSB)
        throw UserError(path + ": not a 64-bit little-endian ELF file, so not for Alpha.");
    const auto h = at<Elf64_Ehdr>(path, file, 0, "header");
    if (h.e_machine != machineAlpha)
        throw UserError(path + ": made for another processor (ELF machine " +
                        std::to_string(h.e_machine) + ", Alpha is 36902).");
    if (h.e_type != ET_EXEC)
        throw UserError(path + ": not a linked executable; link it with -static.");
    return h;
}

std::vector<Marker> markerSection(const std::string &path, const std::vector<uint8_t> &file,
                                  const Elf64_Ehdr &h) {
    std::vector<Marker> markers;
    if (h.e_shoff == 0 || h.e_shstrndx == SHN_UNDEF)
        return markers;
    auto section = [&](unsigned i) {
        return at<Elf64_Shdr>(path, file, h.e_shoff + uint64_t{i} * h.e_shentsize, "section table");
    };
    const auto names = section(h.e_shstrndx);
    static const char wanted[] = ".mcpi.markers";
    for (unsigned i = 1; i < h.e_shnum; ++i) {
        const auto s = section(i);
        const uint64_t name = names.sh_offset + s.sh_name;
        if (name + sizeof wanted > file.size() || std::memcmp(&file[name], wanted, sizeof wanted))
            continue;
        for (uint64_t o = 0; o + 16 <= s.sh_size; o += 16) {
            struct Record {
                uint64_t address;
                uint32_t action, window;
            };
            const auto m = at<Record>(path, file, s.sh_offset + o, "markers");
            markers.push_back({m.address, m.action, m.window});
        }
    }
    return markers;
}

} // namespace

Image readElf(const std::string &path) {
    const auto file = readFile(path);
    const auto h = header(path, file);
    Image image{path, h.e_entry, {}, markerSection(path, file, h)};
    for (unsigned i = 0; i < h.e_phnum; ++i) {
        const auto p =
            at<Elf64_Phdr>(path, file, h.e_phoff + uint64_t{i} * h.e_phentsize, "program headers");
        if (p.p_type == PT_INTERP || p.p_type == PT_DYNAMIC)
            throw UserError(path + ": dynamically linked; link it with -static -nostdlib.");
        if (p.p_type != PT_LOAD || p.p_memsz == 0)
            continue;
        if (p.p_offset > file.size() || file.size() - p.p_offset < p.p_filesz)
            throw UserError(path + ": truncated: the file ends inside a loaded segment.");
        if (p.p_filesz > p.p_memsz || p.p_memsz > (uint64_t{1} << 30))
            throw UserError(path + ": a segment has an impossible size.");
        const auto from = file.begin() + static_cast<int64_t>(p.p_offset);
        image.segments.push_back({p.p_vaddr & (segmentLimit - 1),
                                  {from, from + static_cast<int64_t>(p.p_filesz)},
                                  p.p_memsz - p.p_filesz});
    }
    if (image.segments.empty())
        throw UserError(path + ": nothing in it to load.");
    return image;
}

std::vector<Marker> readMarkers(const std::string &path) {
    std::ifstream in(path);
    if (!in)
        throw UserError(path + ": cannot be read; is the path right?");
    std::vector<Marker> markers;
    std::string line;
    for (unsigned number = 1; std::getline(in, line); ++number) {
        if (line.empty() || line[0] == '#' || (number == 1 && line.rfind("address", 0) == 0))
            continue;
        std::istringstream fields(line);
        std::string address, action, window;
        std::getline(fields, address, ',');
        std::getline(fields, action, ',');
        std::getline(fields, window, ',');
        try {
            markers.push_back({std::stoull(address, nullptr, 0),
                               static_cast<uint32_t>(std::stoul(action, nullptr, 0)),
                               static_cast<uint32_t>(std::stoul(window, nullptr, 0))});
        } catch (const std::logic_error &) {
            throw UserError(path + ":" + std::to_string(number) +
                            ": 'address,action,window' in numbers is wanted, not '" + line + "'.");
        }
    }
    return markers;
}

Segment bootBlock(const Machine &machine, const std::map<std::string, uint64_t> &fields) {
    Segment block{machine.base("ram", "boot"), {}, 0};
    for (const auto &[name, value] : fields) {
        const uint64_t offset = machine.offset("boot_block", name);
        if (block.bytes.size() < offset + 8)
            block.bytes.resize(offset + 8);
        std::memcpy(&block.bytes[offset], &value, 8);
    }
    return block;
}

void checkPlacement(const Machine &machine, const Image &image) {
    const uint64_t ram = machine.parameter("memory.size");
    for (const auto &s : image.segments)
        if (s.address + s.size() > ram) {
            std::ostringstream text;
            text << image.path << ": a segment at " << std::hex << s.address << " of " << s.size()
                 << " bytes (hex) lies outside the machine's RAM of " << ram
                 << "; link it as machines/memory-map.toml says.";
            throw UserError(text.str());
        }
}

} // namespace mcpi
