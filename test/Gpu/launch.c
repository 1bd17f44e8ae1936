/* What it costs the host to launch the kernels of an image, beside as many bare
 * launches in the same process:
 *
 *     launch IMAGE KERNELS
 *
 * Sizes of the image are known, and KERNELS is how many it launches. In turns,
 * 100 runs through fuse_call_launch and 100 bare cuLaunchKernelEx of a kernel
 * that does nothing; the device is waited for in between, and not timed. Prints
 * one line, and fails if launching takes more than 1.3 times as long. */

#include "fuse-c/Fuse.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 100, TURNS = 201, MOST = 64 };

/* Of cuda.h. */
typedef struct {
  unsigned grid[3], block[3], shared_bytes;
  void *stream, *attributes;
  unsigned num_attributes;
} LaunchConfig;

static const char kernel_text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry empty(.param .u64 a, .param .u64 b, .param .u64 c) { ret; "
    "}\n";

static void *driver;

static void check(int code, const char *what) {
  if (code == 0)
    return;
  fprintf(stderr, "launch: %s: %d\n", what, code);
  exit(2);
}

static void check_fuse(FuseStatus status) {
  if (status == FUSE_OK)
    return;
  fprintf(stderr, "launch: %s\n", fuse_last_error());
  exit(2);
}

#define CUDA(name, types, ...)                                                 \
  do {                                                                         \
    int(*entry) types = (int(*) types)dlsym(driver, #name);                    \
    check(entry ? entry(__VA_ARGS__) : -1, #name);                             \
  } while (0)

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values) {
  qsort(values, TURNS, sizeof(double), compare);
  return values[TURNS / 2];
}

/* Arrays for all arguments of a kind; returns how many. */
static size_t make_arrays(FuseImage image, FuseArgumentKind kind,
                          FuseArray *arrays) {
  size_t count = 0;
  check_fuse(fuse_image_count(image, kind, &count));
  if (count > MOST)
    check((int)count, "too many arguments");
  for (size_t i = 0; i < count; ++i) {
    FuseArgument argument = {.struct_bytes = sizeof(argument)};
    check_fuse(fuse_image_argument(image, kind, i, &argument));
    size_t bytes = fuse_type_bytes(argument.type);
    for (int32_t dim = 0; dim < argument.rank; ++dim)
      bytes *= argument.shape[dim] > 0 ? (size_t)argument.shape[dim] : 1;
    unsigned long long address = 0;
    CUDA(cuMemAlloc_v2, (unsigned long long *, size_t), &address, bytes);
    CUDA(cuMemsetD8_v2, (unsigned long long, unsigned char, size_t), address, 0,
         bytes);
    arrays[i] = (FuseArray){.data = (void *)address,
                            .shape = argument.shape,
                            .rank = argument.rank,
                            .type = argument.type,
                            .device_kind = FUSE_CUDA};
  }
  return count;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: launch IMAGE KERNELS\n");
    return 2;
  }
  int kernels = atoi(argv[2]);
  driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  check(driver ? 0 : -1, "libcuda.so.1");
  void *context = NULL, *stream = NULL, *module = NULL, *function = NULL;
  CUDA(cuInit, (unsigned), 0);
  CUDA(cuDevicePrimaryCtxRetain, (void **, int), &context, 0);
  CUDA(cuCtxSetCurrent, (void *), context);
  CUDA(cuStreamCreate, (void **, unsigned), &stream, 1);
  CUDA(cuModuleLoadData, (void **, const void *), &module, kernel_text);
  CUDA(cuModuleGetFunction, (void **, void *, const char *), &function, module,
       "empty");

  check_fuse(fuse_check_abi(FUSE_ABI_VERSION));
  FuseImage image;
  FuseDevice device;
  FuseProgram program;
  FusePlan plan;
  FuseCall call;
  check_fuse(fuse_image_read(argv[1], &image));
  check_fuse(fuse_device_open(FUSE_CUDA, 0, &device));
  check_fuse(fuse_program_load(image, device, &program));
  FuseArray inputs[MOST], outputs[MOST];
  size_t num_inputs = make_arrays(image, FUSE_INPUT, inputs);
  size_t num_outputs = make_arrays(image, FUSE_OUTPUT_ARGUMENT, outputs);
  check_fuse(fuse_plan_create(program, inputs, num_inputs, NULL, 0, &plan));
  check_fuse(
      fuse_call_create(plan, inputs, num_inputs, outputs, num_outputs, &call));

  int (*launch)(const LaunchConfig *, void *, void **, void **) =
      (int (*)(const LaunchConfig *, void *, void **, void **))dlsym(
          driver, "cuLaunchKernelEx");
  check(launch ? 0 : -1, "cuLaunchKernelEx");
  unsigned long long values[3] = {0, 0, 0};
  void *parameters[3] = {&values[0], &values[1], &values[2]};
  LaunchConfig config = {{32, 1, 1}, {128, 1, 1}, 0, stream, NULL, 0};
  double ours[TURNS], bare[TURNS];
  for (int turn = -5; turn < TURNS; ++turn) {
    double start = now();
    for (int run = 0; run < RUNS; ++run)
      check_fuse(fuse_call_launch(call, stream));
    double took = (now() - start) / (RUNS * kernels);
    CUDA(cuStreamSynchronize, (void *), stream);
    if (turn >= 0)
      ours[turn] = took;
    start = now();
    for (int run = 0; run < RUNS * kernels; ++run)
      check(launch(&config, function, parameters, NULL), "cuLaunchKernelEx");
    took = (now() - start) / (RUNS * kernels);
    CUDA(cuStreamSynchronize, (void *), stream);
    if (turn >= 0)
      bare[turn] = took;
  }
  double fuse_ns = median(ours), bare_ns = median(bare);
  printf("%s: %.0f ns of the host for each of %d kernels, a bare launch takes "
         "%.0f: %.3f times\n",
         argv[1], fuse_ns, kernels, bare_ns, fuse_ns / bare_ns);
  return fuse_ns <= 1.3 * bare_ns ? 0 : 1;
}
