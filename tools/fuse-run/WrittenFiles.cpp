//===- WrittenFiles.cpp - what is written where ---------------------------===//
//
// A file that is not there yet is where its folder is.
//
//===----------------------------------------------------------------------===//

#include "WrittenFiles.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace fuse;

/// The one name of what has many.
static SmallString<128> placeOf(StringRef path) {
  SmallString<128> place;
  if (!sys::fs::real_path(path, place))
    return place;
  StringRef folder = sys::path::parent_path(path);
  if (sys::fs::real_path(folder.empty() ? "." : folder, place))
    return SmallString<128>(path);
  sys::path::append(place, sys::path::filename(path));
  return place;
}

void WrittenFiles::keep(StringRef path) { contents[placeOf(path)]; }

/// Whether there is nothing to lose, as in /dev/null or a pipe.
static bool isDevice(StringRef path) {
  sys::fs::file_status status;
  return !sys::fs::status(path, status) && sys::fs::is_other(status);
}

Status WrittenFiles::add(StringRef path, StringRef content) {
  if (isDevice(path))
    return Status::success();
  auto [known, isNew] = contents.try_emplace(placeOf(path), content);
  if (isNew || known->second == content)
    return Status::success();
  if (known->second.empty())
    return RuntimeError(ErrorCode::BadUsage,
                        (content + " would be written to '" + path +
                         "', which is what is run and would be lost")
                            .str());
  return RuntimeError(ErrorCode::BadUsage,
                      (Twine(known->second) + " and " + content +
                       " are both written to '" + path + "'")
                          .str());
}
