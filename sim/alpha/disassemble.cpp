// SPDX-License-Identifier: BSD-2-Clause
#include "disassemble.h"

#include <map>

#include "base/text.h"

namespace mcpi::alpha {
namespace {

using Names = std::map<unsigned, const char *>;

const Names memoryNames = {{0x08, "lda"}, {0x09, "ldah"}, {0x0B, "ldq_u"}, {0x0F, "stq_u"},
                           {0x28, "ldl"}, {0x29, "ldq"},  {0x2A, "ldl_l"}, {0x2B, "ldq_l"},
                           {0x2C, "stl"}, {0x2D, "stq"},  {0x2E, "stl_c"}, {0x2F, "stq_c"}};

const Names branchNames = {{0x30, "br"},  {0x34, "bsr"}, {0x38, "blbc"}, {0x39, "beq"},
                           {0x3A, "blt"}, {0x3B, "ble"}, {0x3C, "blbs"}, {0x3D, "bne"},
                           {0x3E, "bge"}, {0x3F, "bgt"}};

const Names miscNames = {{0x0000, "trapb"}, {0x0400, "excb"},  {0x4000, "mb"},
                         {0x4400, "wmb"},   {0x8000, "fetch"}, {0xA000, "fetch_m"},
                         {0xC000, "rpcc"},  {0xE000, "rc"},    {0xF000, "rs"}};

// key: opcode << 8 | function
const Names operateNames = {
    {0x1000, "addl"},    {0x1002, "s4addl"},  {0x1009, "subl"},   {0x100B, "s4subl"},
    {0x100F, "cmpbge"},  {0x1012, "s8addl"},  {0x101B, "s8subl"}, {0x101D, "cmpult"},
    {0x1020, "addq"},    {0x1022, "s4addq"},  {0x1029, "subq"},   {0x102B, "s4subq"},
    {0x102D, "cmpeq"},   {0x1032, "s8addq"},  {0x103B, "s8subq"}, {0x103D, "cmpule"},
    {0x1040, "addl/v"},  {0x1049, "subl/v"},  {0x104D, "cmplt"},  {0x1060, "addq/v"},
    {0x1069, "subq/v"},  {0x106D, "cmple"},   {0x1100, "and"},    {0x1108, "bic"},
    {0x1114, "cmovlbs"}, {0x1116, "cmovlbc"}, {0x1120, "bis"},    {0x1124, "cmoveq"},
    {0x1126, "cmovne"},  {0x1128, "ornot"},   {0x1140, "xor"},    {0x1144, "cmovlt"},
    {0x1146, "cmovge"},  {0x1148, "eqv"},     {0x1161, "amask"},  {0x1164, "cmovle"},
    {0x1166, "cmovgt"},  {0x116C, "implver"}, {0x1202, "mskbl"},  {0x1206, "extbl"},
    {0x120B, "insbl"},   {0x1212, "mskwl"},   {0x1216, "extwl"},  {0x121B, "inswl"},
    {0x1222, "mskll"},   {0x1226, "extll"},   {0x122B, "insll"},  {0x1230, "zap"},
    {0x1231, "zapnot"},  {0x1232, "mskql"},   {0x1234, "srl"},    {0x1236, "extql"},
    {0x1239, "sll"},     {0x123B, "insql"},   {0x123C, "sra"},    {0x1252, "mskwh"},
    {0x1257, "inswh"},   {0x125A, "extwh"},   {0x1262, "msklh"},  {0x1267, "inslh"},
    {0x126A, "extlh"},   {0x1272, "mskqh"},   {0x1277, "insqh"},  {0x127A, "extqh"},
    {0x1300, "mull"},    {0x1320, "mulq"},    {0x1330, "umulh"},  {0x1340, "mull/v"},
    {0x1360, "mulq/v"}};

const char *const jumpNames[4] = {"jmp", "jsr", "ret", "jsr_coroutine"};

const char *find(const Names &names, unsigned key) {
    const auto it = names.find(key);
    return it == names.end() ? nullptr : it->second;
}

} // namespace

std::string disassemble(uint64_t pc, uint32_t i) {
    const unsigned opcode = i >> 26, ra = i >> 21 & 31, rb = i >> 16 & 31, rc = i & 31;
    const int disp16 = static_cast<int16_t>(i);
    if (const char *name = find(memoryNames, opcode))
        return text("%s $%u,%d($%u)", name, ra, disp16, rb);
    if (const char *name = find(branchNames, opcode)) {
        const int64_t disp = static_cast<int32_t>(i << 11) >> 11;
        const auto target = static_cast<unsigned long long>((pc & ~3ull) + 4 + 4 * disp);
        return text("%s $%u,%llx", name, ra, target);
    }
    if (const char *name = find(operateNames, opcode << 8 | (i >> 5 & 0x7F)))
        return i >> 12 & 1 ? text("%s $%u,%u,$%u", name, ra, i >> 13 & 0xFF, rc)
                           : text("%s $%u,$%u,$%u", name, ra, rb, rc);
    const char *const width = i >> 12 & 1 ? "q" : "l";
    switch (opcode) {
    case 0x00:
        return text("call_pal %x", i & 0x3FFFFFF);
    case 0x18:
        if (const char *name = find(miscNames, i & 0xFFFF))
            return text("%s $%u", name, ra);
        break;
    case 0x19:
        return text("hw_mfpr $%u,%x", ra, i & 0xFF);
    case 0x1D:
        return text("hw_mtpr $%u,%x", rb, i & 0xFF);
    case 0x1E:
        return "hw_rei";
    case 0x1A:
        return text("%s $%u,($%u)", jumpNames[i >> 14 & 3], ra, rb);
    case 0x1B:
        return text("hw_ld%s $%u,%d($%u)", width, ra, static_cast<int32_t>(i << 20) >> 20, rb);
    case 0x1F:
        return text("hw_st%s $%u,%d($%u)", width, ra, static_cast<int32_t>(i << 20) >> 20, rb);
    default:
        break;
    }
    return text(".long 0x%08x", i);
}

} // namespace mcpi::alpha
