//===- Device.cpp - devices and programs for C ----------------------------===//
//
// A processor or a GPU, and an image on it.
//
//===----------------------------------------------------------------------===//

#include "Objects.h"

using namespace fuse;
using namespace fuse::c;

static RuntimeError badUsage(std::string message) {
  return RuntimeError(ErrorCode::BadUsage, std::move(message));
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// A driver that was initialised does not work in a child, and does not say so
/// in a way that anybody understands.
static Status checkDriverFork() {
  static std::atomic<uint32_t> first = ~uint32_t(0);
  uint32_t none = ~uint32_t(0), own = processNumber();
  if (first.compare_exchange_strong(none, own) || none == own)
    return Status::success();
  return badUsage("a GPU was used before this process was forked, and cannot "
                  "be used in the child: fork before, or start the child anew "
                  "(in Python: multiprocessing's start method 'spawn')");
}

static Status openCuda(int32_t ordinal, DeviceObject &object) {
  if (ordinal < -1)
    return badUsage("the device's number is " + std::to_string(ordinal) +
                    ", but -1 or more is needed");
  if (Status status = checkDriverFork(); !status)
    return status;
  auto opened = CudaDevice::open(
      ordinal == -1 ? std::nullopt : std::optional<uint32_t>(ordinal));
  if (!opened)
    return opened.takeError();
  object.cuda = std::move(*opened);
  object.name = object.cuda->name();
  return Status::success();
}

static Status openCpu(int32_t threads, DeviceObject &object) {
  if (threads < -1 || threads == 0 || threads > int32_t(maxThreads))
    return badUsage("the number of threads is " + std::to_string(threads) +
                    ", but -1 or 1 to " + std::to_string(maxThreads) +
                    " is needed");
  Result<unsigned> number =
      threads == -1 ? defaultNumThreads() : static_cast<unsigned>(threads);
  if (!number)
    return number.takeError();
  Result<CpuLevel> level = cpuLevelOfThisMachine();
  if (!level)
    return level.takeError();
  Result<std::unique_ptr<ThreadPool>> pool = ThreadPool::create(*number);
  if (!pool)
    return pool.takeError();
  object.threads = std::move(*pool);
  object.name = std::string(levelName(*level)) + ", " +
                std::to_string(*number) +
                (*number == 1 ? " thread" : " threads");
  return Status::success();
}

FuseStatus fuse_device_open(FuseDeviceKind kind, int32_t ordinal,
                            FuseDevice *device) {
  if (!clear(device))
    return failNull("a place for the device");
  if (kind != FUSE_CPU && kind != FUSE_CUDA)
    return fail(badUsage(std::to_string(kind) +
                         " is no kind of devices: there are FUSE_CPU (1) and "
                         "FUSE_CUDA (2)"));
  auto object = std::make_shared<DeviceObject>();
  Status status = kind == FUSE_CUDA ? openCuda(ordinal, *object)
                                    : openCpu(ordinal, *object);
  return status ? give(std::move(object), device) : fail(status.error());
}

FuseStatus fuse_device_find(const void *address, FuseDeviceKind *kind,
                            int32_t *ordinal) {
  bool hasKind = clear(kind), hasOrdinal = clear(ordinal);
  if (!hasKind || !hasOrdinal)
    return failNull(hasKind ? "a place for the number"
                            : "a place for the kind");
  if (Status status = checkDriverFork(); !status)
    return fail(status.error());
  auto found = findCudaDeviceOf(reinterpret_cast<uintptr_t>(address));
  if (!found)
    return fail(found.error());
  *kind = *found ? FUSE_CUDA : FUSE_CPU;
  *ordinal = static_cast<int32_t>(found->value_or(0));
  return FUSE_OK;
}

FuseStatus fuse_device_name(FuseDevice device, const char **name) {
  if (!clear(name))
    return failNull("a place for the name");
  Result<DeviceObject *> found = find<DeviceObject>(device);
  if (!found)
    return fail(found.error());
  *name = (*found)->name.c_str();
  return FUSE_OK;
}

FuseStatus fuse_device_wait(FuseDevice device, void *stream) {
  Result<DeviceObject *> found = find<DeviceObject>(device);
  if (!found)
    return fail(found.error());
  if (!(*found)->cuda)
    return FUSE_OK;
  Status status = (*found)->cuda->checkStream(stream);
  if (status)
    status = (*found)->cuda->wait(stream);
  return status ? FUSE_OK : fail(status.error());
}

FuseStatus fuse_device_destroy(FuseDevice device) {
  Status status =
      closeHandle(reinterpret_cast<uintptr_t>(device), HandleKind::Device);
  return status ? FUSE_OK : fail(status.error());
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static Status load(const std::shared_ptr<const Image> &image,
                   const DeviceObject &device, ProgramObject &program) {
  if (!device.cuda) {
    auto loaded = CpuProgram::load(image, device.threads);
    if (!loaded)
      return loaded.takeError();
    program.cpu = std::move(*loaded);
    return Status::success();
  }
  auto loaded = CudaProgram::load(image, device.cuda);
  if (!loaded)
    return loaded.takeError();
  program.cuda = std::move(*loaded);
  return Status::success();
}

FuseStatus fuse_program_load(FuseImage image, FuseDevice device,
                             FuseProgram *program) {
  if (!clear(program))
    return failNull("a place for the program");
  Result<ImageObject *> found = find<ImageObject>(image);
  if (!found)
    return fail(found.error());
  Result<std::shared_ptr<DeviceObject>> where = share<DeviceObject>(device);
  if (!where)
    return fail(where.error());
  auto object = std::make_shared<ProgramObject>();
  object->image = (*found)->image;
  object->device = std::move(*where);
  if (Status s = load(object->image, *object->device, *object); !s)
    return fail(s.error());
  return give(std::move(object), program);
}

FuseStatus fuse_program_destroy(FuseProgram program) {
  Status status =
      closeHandle(reinterpret_cast<uintptr_t>(program), HandleKind::Program);
  return status ? FUSE_OK : fail(status.error());
}
