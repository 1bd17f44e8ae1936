//===- ObjectLoader.cpp - functions of an object file ---------------------===//
//
// All sections lie in one piece of memory, so that they reach each other with
// 32 bits: code and what is only read, then a page on with what is written.
// Addresses from outside are in a table of their own, and calls to them go
// through stubs.
//
//===----------------------------------------------------------------------===//

#include "ObjectLoader.h"
#include "fuse/Runtime/Cpu/NarrowFloats.h"
#include "fuse/Runtime/CpuCode.h"
#include "fuse/Runtime/File.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace fuse;

static RuntimeError malformed(std::string message) {
  return RuntimeError(ErrorCode::BadInput,
                      "the object code is malformed: " + std::move(message));
}

namespace {

struct External {
  std::string_view name;
  void *address;
};

} // namespace

#define FUSE_FUNCTION(name)                                                    \
  External { #name, reinterpret_cast<void *>(&::name) }
/// A function of floats has overloads in C++.
#define FUSE_MATH(name)                                                        \
  External{#name, reinterpret_cast<void *>(                                    \
                      static_cast<double (*)(double)>(&::name))},              \
      External {                                                               \
    #name "f",                                                                 \
        reinterpret_cast<void *>(static_cast<float (*)(float)>(&::name##f))    \
  }
#define FUSE_MATH2(name)                                                       \
  External{#name, reinterpret_cast<void *>(                                    \
                      static_cast<double (*)(double, double)>(&::name))},      \
      External {                                                               \
    #name "f", reinterpret_cast<void *>(                                       \
                   static_cast<float (*)(float, float)>(&::name##f))           \
  }

/// What code may call: LLVM makes such calls of what a processor has no
/// instructions for, and of what it finds to be one of them: a sine and a
/// cosine of one angle, a power of two to a whole number, a power of ten.
static std::span<const External> externals() {
  static const External known[] = {
      FUSE_FUNCTION(memcpy),
      FUSE_FUNCTION(memmove),
      FUSE_FUNCTION(memset),
      FUSE_MATH(acos),
      FUSE_MATH(acosh),
      FUSE_MATH(asin),
      FUSE_MATH(asinh),
      FUSE_MATH(atan),
      FUSE_MATH(atanh),
      FUSE_MATH(cbrt),
      FUSE_MATH(ceil),
      FUSE_MATH(cos),
      FUSE_MATH(cosh),
      FUSE_MATH(erf),
      FUSE_MATH(erfc),
      FUSE_MATH(exp),
      FUSE_MATH(exp10),
      FUSE_MATH(exp2),
      FUSE_MATH(expm1),
      FUSE_MATH(floor),
      FUSE_MATH(log),
      FUSE_MATH(log10),
      FUSE_MATH(log1p),
      FUSE_MATH(log2),
      FUSE_MATH(nearbyint),
      FUSE_MATH(rint),
      FUSE_MATH(round),
      FUSE_MATH(roundeven),
      FUSE_MATH(sin),
      FUSE_MATH(sinh),
      FUSE_MATH(tan),
      FUSE_MATH(tanh),
      FUSE_MATH(trunc),
      FUSE_MATH2(atan2),
      FUSE_MATH2(fmax),
      FUSE_MATH2(fmin),
      FUSE_MATH2(fmod),
      FUSE_MATH2(pow),
      FUSE_FUNCTION(sincos),
      FUSE_FUNCTION(sincosf),
      {"ldexp", reinterpret_cast<void *>(
                    static_cast<double (*)(double, int)>(&::ldexp))},
      {"ldexpf",
       reinterpret_cast<void *>(static_cast<float (*)(float, int)>(&::ldexpf))},
      {"fma", reinterpret_cast<void *>(
                  static_cast<double (*)(double, double, double)>(&::fma))},
      {"fmaf", reinterpret_cast<void *>(
                   static_cast<float (*)(float, float, float)>(&::fmaf))},
  };
  return known;
}

#undef FUSE_FUNCTION
#undef FUSE_MATH
#undef FUSE_MATH2

/// A count of bytes from an offset lies inside of `bytes`.
static bool isInside(uint64_t offset, uint64_t count, uint64_t bytes) {
  return offset <= bytes && count <= bytes - offset;
}

namespace fuse {

class ObjectLinker {
public:
  explicit ObjectLinker(std::string_view bytes) : bytes(bytes) {}
  Result<std::unique_ptr<LoadedObject>> run();

private:
  /// `jmp *offset(%rip)`, filled up to 8 bytes.
  static constexpr size_t stubBytes = 8;

  Status readHeaders();
  Status readSymbols();
  Status readNames();
  Status place();
  Status relocate();
  Status apply(const Elf64_Rela &relocation, size_t section);
  Result<uint64_t> addressOf(uint32_t symbol);
  Result<uint64_t> entryFor(uint32_t symbol);
  Status protect();
  void publish();

  template <class T> T read(uint64_t offset) const {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
  }
  uint64_t base() const { return reinterpret_cast<uintptr_t>(object->memory); }
  bool isLoaded(size_t section) const {
    return section < sections.size() &&
           (sections[section].sh_flags & SHF_ALLOC);
  }
  /// The text at `offset` of the section of names.
  Result<std::string_view> nameOf(uint64_t offset) const;

  std::string_view bytes;
  std::vector<Elf64_Shdr> sections;
  std::vector<Elf64_Sym> symbols;
  std::vector<std::string_view> symbolNames;
  size_t names = 0;
  /// By section: where it lies in memory.
  std::vector<uint64_t> offsets;
  /// By symbol: its entry in the table, and its stub, from the start.
  uint64_t tableOffset = 0, stubsOffset = 0, writableOffset = 0, endOffset = 0;
  std::unique_ptr<LoadedObject> object;
};

} // namespace fuse

Status ObjectLinker::readHeaders() {
  if (bytes.size() < sizeof(Elf64_Ehdr))
    return malformed("it has " + std::to_string(bytes.size()) + " bytes");
  auto header = read<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB)
    return malformed("it is no 64-bit ELF file");
  if (header.e_type != ET_REL || header.e_machine != EM_X86_64)
    return malformed("it is no relocatable file for x86-64");
  if (header.e_shentsize != sizeof(Elf64_Shdr) ||
      !isInside(header.e_shoff, uint64_t(header.e_shnum) * sizeof(Elf64_Shdr),
                bytes.size()))
    return malformed("its sections lie outside of it");
  uint64_t total = 0;
  for (size_t i = 0; i < header.e_shnum; ++i) {
    auto section = read<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
    // What the rest of one without a type says means nothing.
    if (section.sh_type == SHT_NULL)
      section = {};
    // Nobody unwinds through a kernel.
    if (section.sh_type == SHT_X86_64_UNWIND)
      section.sh_flags = 0;
    if (section.sh_type != SHT_NOBITS &&
        !isInside(section.sh_offset, section.sh_size, bytes.size()))
      return malformed("section " + std::to_string(i) + " lies outside of it");
    // Else work on them, relocations of one above all, would have no limit.
    total += section.sh_type == SHT_NOBITS ? 0 : section.sh_size;
    if (total > bytes.size())
      return malformed("its sections overlap");
    constexpr uint64_t most = uint64_t(1) << 30;
    if ((section.sh_flags & SHF_ALLOC) &&
        (section.sh_size > most || section.sh_addralign > 4096))
      return malformed("section " + std::to_string(i) + " is too large");
    if (section.sh_flags & SHF_TLS)
      return malformed("it has variables of threads");
    sections.push_back(section);
  }
  return Status::success();
}

Status ObjectLinker::readSymbols() {
  for (const Elf64_Shdr &section : sections) {
    if (section.sh_type != SHT_SYMTAB)
      continue;
    if (section.sh_link >= sections.size() ||
        sections[section.sh_link].sh_type != SHT_STRTAB)
      return malformed("its symbols have no names");
    names = section.sh_link;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size;
         at += sizeof(Elf64_Sym))
      symbols.push_back(read<Elf64_Sym>(section.sh_offset + at));
    return readNames();
  }
  return malformed("it has no symbols");
}

Status ObjectLinker::readNames() {
  // A name may be the end of another one, but hardly of many.
  const uint64_t most = 16 * uint64_t(bytes.size());
  uint64_t total = 0;
  symbolNames.reserve(symbols.size());
  for (const Elf64_Sym &symbol : symbols) {
    Result<std::string_view> name = nameOf(symbol.st_name);
    if (!name)
      return name.takeError();
    symbolNames.push_back(*name);
    total += name->size();
    if (total > most)
      return malformed("its names take more than " + std::to_string(most) +
                       " bytes");
  }
  return Status::success();
}

Result<std::string_view> ObjectLinker::nameOf(uint64_t offset) const {
  const Elf64_Shdr &section = sections[names];
  std::string_view text = bytes.substr(section.sh_offset, section.sh_size);
  size_t end =
      offset < text.size() ? text.find('\0', offset) : std::string_view::npos;
  if (end == std::string_view::npos)
    return malformed("a name lies outside of it");
  return text.substr(offset, end - offset);
}

static uint64_t alignTo(uint64_t value, uint64_t alignment) {
  return alignment <= 1 ? value
                        : (value + alignment - 1) / alignment * alignment;
}

Status ObjectLinker::place() {
  const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  offsets.assign(sections.size(), 0);
  uint64_t end = 0;
  auto placeAll = [&](bool isWritable) {
    for (size_t i = 0; i < sections.size(); ++i) {
      const Elf64_Shdr &section = sections[i];
      if (!isLoaded(i) || isWritable != bool(section.sh_flags & SHF_WRITE))
        continue;
      offsets[i] = end = alignTo(end, section.sh_addralign);
      end += section.sh_size;
    }
  };
  placeAll(false);
  stubsOffset = alignTo(end, stubBytes);
  tableOffset = stubsOffset + symbols.size() * stubBytes;
  end = tableOffset + symbols.size() * sizeof(uint64_t);
  writableOffset = end = alignTo(end, page);
  placeAll(true);
  endOffset = alignTo(std::max<uint64_t>(end, 1), page);
  // So that 32 bits reach everything.
  if (endOffset > uint64_t(std::numeric_limits<int32_t>::max()))
    return malformed("it takes " + std::to_string(endOffset) + " bytes");
  void *memory = ::mmap(nullptr, endOffset, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return RuntimeError(ErrorCode::Unsupported,
                        "there is no memory for code: " + describeErrno(errno));
  object.reset(new LoadedObject());
  object->memory = static_cast<std::byte *>(memory);
  object->bytes = endOffset;
  for (size_t i = 0; i < sections.size(); ++i)
    if (isLoaded(i) && sections[i].sh_type != SHT_NOBITS)
      std::memcpy(object->memory + offsets[i],
                  bytes.data() + sections[i].sh_offset, sections[i].sh_size);
  return Status::success();
}

Result<uint64_t> ObjectLinker::addressOf(uint32_t number) {
  if (number >= symbols.size())
    return malformed("it refers to symbol " + std::to_string(number));
  const Elf64_Sym &symbol = symbols[number];
  if (symbol.st_shndx != SHN_UNDEF) {
    if (!isLoaded(symbol.st_shndx) ||
        symbol.st_value > sections[symbol.st_shndx].sh_size)
      return malformed("symbol " + std::to_string(number) +
                       " lies in no section that is loaded");
    return base() + offsets[symbol.st_shndx] + symbol.st_value;
  }
  std::string_view name = symbolNames[number];
  for (const External &external : externals())
    if (external.name == name)
      return static_cast<uint64_t>(
          reinterpret_cast<uintptr_t>(external.address));
  for (const NarrowFloatFunction &function : narrowFloatFunctions())
    if (function.name == name)
      return static_cast<uint64_t>(
          reinterpret_cast<uintptr_t>(function.address));
  return RuntimeError(ErrorCode::Unsupported,
                      "the object code calls '" + std::string(name) +
                          "', which the runtime does not have");
}

/// Where the address of a symbol is found.
Result<uint64_t> ObjectLinker::entryFor(uint32_t number) {
  Result<uint64_t> address = addressOf(number);
  if (!address)
    return address;
  uint64_t offset = tableOffset + number * sizeof(uint64_t);
  std::memcpy(object->memory + offset, &*address, sizeof(uint64_t));
  return base() + offset;
}

static bool fits32(int64_t value) { return value == int64_t(int32_t(value)); }

Status ObjectLinker::apply(const Elf64_Rela &relocation, size_t section) {
  auto number = static_cast<uint32_t>(ELF64_R_SYM(relocation.r_info));
  auto type = static_cast<uint32_t>(ELF64_R_TYPE(relocation.r_info));
  bool is64 = type == R_X86_64_64 || type == R_X86_64_PC64;
  if (!isInside(relocation.r_offset, is64 ? 8 : 4, sections[section].sh_size))
    return malformed("a relocation lies outside of its section");
  std::byte *place = object->memory + offsets[section] + relocation.r_offset;
  uint64_t at = reinterpret_cast<uintptr_t>(place);

  bool asksTable = type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX ||
                   type == R_X86_64_REX_GOTPCRELX;
  Result<uint64_t> target = asksTable ? entryFor(number) : addressOf(number);
  if (!target)
    return target.takeError();
  if (type == R_X86_64_64) {
    uint64_t value = *target + static_cast<uint64_t>(relocation.r_addend);
    std::memcpy(place, &value, sizeof(value));
    return Status::success();
  }
  bool isRelative =
      asksTable || is64 || type == R_X86_64_PC32 || type == R_X86_64_PLT32;
  if (!isRelative)
    return RuntimeError(ErrorCode::Unsupported,
                        "the object code has a relocation of type " +
                            std::to_string(type) +
                            ", which the runtime does not know");
  auto distance = [&](uint64_t to) {
    return static_cast<int64_t>(to + relocation.r_addend - at);
  };
  if (type == R_X86_64_PLT32 && !fits32(distance(*target))) {
    Result<uint64_t> entry = entryFor(number);
    if (!entry)
      return entry.takeError();
    uint64_t stub = stubsOffset + number * stubBytes;
    constexpr int64_t jumpBytes = 6;
    auto offset =
        static_cast<int32_t>(static_cast<int64_t>(*entry) -
                             static_cast<int64_t>(base() + stub) - jumpBytes);
    const std::array<unsigned char, 2> jump = {0xFF, 0x25};
    std::memcpy(object->memory + stub, jump.data(), jump.size());
    std::memcpy(object->memory + stub + jump.size(), &offset, sizeof(offset));
    target = base() + stub;
  }
  int64_t value = distance(*target);
  if (is64) {
    std::memcpy(place, &value, sizeof(value));
    return Status::success();
  }
  if (!fits32(value))
    return malformed("a relocation does not fit 32 bits");
  auto low = static_cast<int32_t>(value);
  std::memcpy(place, &low, sizeof(low));
  return Status::success();
}

Status ObjectLinker::relocate() {
  for (const Elf64_Shdr &section : sections) {
    if (section.sh_type == SHT_REL && isLoaded(section.sh_info))
      return malformed("its relocations have no addends");
    if (section.sh_type != SHT_RELA || !isLoaded(section.sh_info))
      continue;
    if (sections[section.sh_info].sh_type == SHT_NOBITS)
      return malformed("relocations are for a section without bytes");
    for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= section.sh_size;
         at += sizeof(Elf64_Rela))
      if (Status status =
              apply(read<Elf64_Rela>(section.sh_offset + at), section.sh_info);
          !status)
        return status;
  }
  return Status::success();
}

Status ObjectLinker::protect() {
  if (::mprotect(object->memory, writableOffset, PROT_READ | PROT_EXEC) == 0)
    return Status::success();
  return RuntimeError(ErrorCode::Unsupported,
                      "the system does not let code be run that was loaded: " +
                          describeErrno(errno));
}

void ObjectLinker::publish() {
  for (size_t i = 0; i < symbols.size(); ++i) {
    if (ELF64_ST_TYPE(symbols[i].st_info) != STT_FUNC ||
        symbols[i].st_shndx == SHN_UNDEF)
      continue;
    if (Result<uint64_t> address = addressOf(static_cast<uint32_t>(i)))
      object->functions.emplace(symbolNames[i],
                                reinterpret_cast<void *>(*address));
  }
}

Result<std::unique_ptr<LoadedObject>> ObjectLinker::run() {
  using Step = Status (ObjectLinker::*)();
  for (Step step :
       {&ObjectLinker::readHeaders, &ObjectLinker::readSymbols,
        &ObjectLinker::place, &ObjectLinker::relocate, &ObjectLinker::protect})
    if (Status status = (this->*step)(); !status)
      return status.takeError();
  publish();
  return std::move(object);
}

Result<std::unique_ptr<LoadedObject>>
LoadedObject::load(std::string_view bytes) {
  return ObjectLinker(bytes).run();
}

LoadedObject::~LoadedObject() {
  if (memory)
    ::munmap(memory, bytes);
}

void *LoadedObject::find(std::string_view symbol) const {
  auto found = functions.find(symbol);
  return found == functions.end() ? nullptr : found->second;
}

Status fuse::checkObjectCode(std::string_view bytes) {
  auto object = LoadedObject::load(bytes);
  return object ? Status::success() : Status(object.takeError());
}
