//===- Chip.cpp - for which GPUs code was made ----------------------------===//
//
// The rules are those of the CUDA programming guide, "application
// compatibility".
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Chip.h"

#include <charconv>

using namespace fuse;

Result<Chip> Chip::parse(std::string_view name) {
  auto malformed = [&] {
    return RuntimeError(ErrorCode::BadInput,
                        "found '" + std::string(name) +
                            "', but a chip such as sm_80 or sm_90a is needed");
  };
  std::string_view rest = name;
  if (!rest.starts_with("sm_"))
    return malformed();
  rest.remove_prefix(3);
  Chip chip;
  if (rest.ends_with('a'))
    chip.features = ChipFeatures::Specific;
  else if (rest.ends_with('f'))
    chip.features = ChipFeatures::Family;
  if (chip.features != ChipFeatures::Portable)
    rest.remove_suffix(1);
  // Three digits are more than there are, and two are the fewest.
  if (rest.size() < 2 || rest.size() > 3 || rest[0] == '0')
    return malformed();
  uint32_t number = 0;
  auto [end, failed] =
      std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (failed != std::errc() || end != rest.data() + rest.size())
    return malformed();
  chip.major = number / 10;
  chip.minor = number % 10;
  return chip;
}

std::string Chip::str() const {
  std::string text = "sm_" + std::to_string(major) + std::to_string(minor);
  if (features == ChipFeatures::Family)
    text += 'f';
  if (features == ChipFeatures::Specific)
    text += 'a';
  return text;
}

bool Chip::runsPtxOn(const Chip &device) const {
  if (features != ChipFeatures::Portable)
    return runsCubinOn(device);
  return device.major != major ? device.major > major : device.minor >= minor;
}

bool Chip::runsCubinOn(const Chip &device) const {
  if (features == ChipFeatures::Specific)
    return device.major == major && device.minor == minor;
  return device.major == major && device.minor >= minor;
}
