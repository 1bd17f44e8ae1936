/*===- fuse-c/Fuse.h - run compiled graphs ---------------------*- C -*-===*\
|*                                                                            *|
|* The runtime of fuse for C, and for every language that calls C. It reads   *|
|* images, which fuse-c/FuseCompiler.h or fuse-run makes, and runs them on a  *|
|* processor or on an NVIDIA GPU. It needs neither LLVM nor a CUDA toolkit;   *|
|* the CUDA driver is opened when a device is.                                *|
|*                                                                            *|
|*   FuseImage --load--> FuseProgram --sizes--> FusePlan --arrays--> FuseCall *|
|*                       on a FuseDevice                                      *|
|*                                                                            *|
|* Every function that can fail yields a FuseStatus; fuse_last_error() then   *|
|* says in one sentence what was found and what was needed, for the thread    *|
|* that called. What a function makes is handed out through its last          *|
|* argument, which is set to NULL where it fails.                             *|
|*                                                                            *|
|* Handles are numbers in the guise of pointers: one that was destroyed, is   *|
|* NULL or is of another kind is told by an error. What a handle needs lives  *|
|* as long as the handle does: an image may be destroyed when it is loaded.   *|
|*                                                                            *|
|* All functions may be called by any thread at any time, with two limits: a  *|
|* handle may not be destroyed while another thread uses it, and a plan for a *|
|* GPU, with all its calls, is used by one thread at a time.                  *|
|*                                                                            *|
|* Functions are never removed and never get other arguments, and structs     *|
|* with a `struct_bytes` only grow, as long as FUSE_ABI_VERSION is the same.  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FUSE_C_FUSE_H
#define FUSE_C_FUSE_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define FUSE_API
#else
#define FUSE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What this header is for; fuse_abi_version() says what a library has. */
#define FUSE_ABI_VERSION 1

/*===----------------------------------------------------------------------===*\
|* Errors                                                                     *|
\*===----------------------------------------------------------------------===*/

/** How a call went. */
typedef int32_t FuseStatus;
enum {
  FUSE_OK = 0,
  /** The call itself is wrong: a handle that is closed, a wrong number of
   *  arguments, an option that there is not. */
  FUSE_BAD_USAGE = 1,
  /** A file, a graph or an array is malformed or does not fit. */
  FUSE_BAD_INPUT = 2,
  /** Well formed, but more than fuse or this machine can do. */
  FUSE_UNSUPPORTED = 3,
  /** A file could not be written. */
  FUSE_OUTPUT = 4,
  /** The device or its driver failed. */
  FUSE_DEVICE = 5
};

/** What the last call of this thread that failed said: one sentence, lower
 *  case, without a full stop; for a graph that is wrong, behind it a line for
 *  each complaint. Never NULL; good until the thread's next call that fails. */
FUSE_API const char *fuse_last_error(void);

/** FUSE_ABI_VERSION as this library was built with. */
FUSE_API uint32_t fuse_abi_version(void);

/** Fails unless a program that was built with `header_version`, which is
 *  FUSE_ABI_VERSION, can use this library. To be called first. */
FUSE_API FuseStatus fuse_check_abi(uint32_t header_version);

/** The version of fuse, such as "0.1.0". */
FUSE_API const char *fuse_version(void);

/*===----------------------------------------------------------------------===*\
|* Arrays                                                                     *|
\*===----------------------------------------------------------------------===*/

/** The type of the elements of an array. An i1 is a byte that is 0 or 1, an
 *  index an int64_t; floats and integers are little-endian. */
typedef int32_t FuseType;
enum {
  FUSE_I1 = 0,
  FUSE_I8 = 1,
  FUSE_I16 = 2,
  FUSE_I32 = 3,
  FUSE_I64 = 4,
  FUSE_INDEX = 5,
  FUSE_F8E4M3FN = 6,
  FUSE_BF16 = 7,
  FUSE_F16 = 8,
  FUSE_F32 = 9,
  FUSE_F64 = 10
};

/** How many bytes an element takes; 0 for what is no type. */
FUSE_API size_t fuse_type_bytes(FuseType type);
/** "bf16", as MLIR writes it; NULL for what is no type. */
FUSE_API const char *fuse_type_name(FuseType type);

/** Where memory is; the numbers are DLPack's. */
typedef int32_t FuseDeviceKind;
enum { FUSE_CPU = 1, FUSE_CUDA = 2 };

/** An array that the caller owns. */
typedef struct FuseArray {
  /** Anything, NULL included, if the array has no elements. */
  void *data;
  /** `rank` sizes. */
  const int64_t *shape;
  /** `rank` strides in elements, or NULL: row-major without gaps. */
  const int64_t *strides;
  int32_t rank;
  FuseType type;
  FuseDeviceKind device_kind;
  /** Which GPU; 0 for a processor. */
  int32_t device_ordinal;
} FuseArray;

/*===----------------------------------------------------------------------===*\
|* Images                                                                     *|
\*===----------------------------------------------------------------------===*/

/** A compiled graph. It never changes, and any number of threads may use it. */
typedef struct FuseImageHandle *FuseImage;

/** Makes an image of the bytes of a file; they are not needed afterwards. */
FUSE_API FuseStatus fuse_image_parse(const void *bytes, size_t size,
                                     FuseImage *image);
/** Reads a file. */
FUSE_API FuseStatus fuse_image_read(const char *path, FuseImage *image);
/** Writes a file, or leaves the one that was there as it was. */
FUSE_API FuseStatus fuse_image_write(FuseImage image, const char *path);
/** The bytes of the file: copies them into `bytes` if `capacity` suffices, and
 *  says in `size` how many there are either way. `bytes` may be NULL. */
FUSE_API FuseStatus fuse_image_serialize(FuseImage image, void *bytes,
                                         size_t capacity, size_t *size);
/** What is in the image, for people, in many lines; as fuse_image_serialize.
 *  The text ends with a zero, which `size` counts. */
FUSE_API FuseStatus fuse_image_describe(FuseImage image, char *text,
                                        size_t capacity, size_t *size);
/** The name of the function, good as long as the image. */
FUSE_API FuseStatus fuse_image_name(FuseImage image, const char **name);
/** How many warnings and remarks the compiler had. */
FUSE_API FuseStatus fuse_image_count_diagnostics(FuseImage image,
                                                 size_t *count);
/** One of them: "model.mlir:3:5: warning: ...", good as long as the image. */
FUSE_API FuseStatus fuse_image_diagnostic(FuseImage image, size_t number,
                                          const char **text);
/** Whether there is code for GPUs, and for processors. */
FUSE_API FuseStatus fuse_image_has_code(FuseImage image, FuseDeviceKind kind,
                                        int32_t *answer);
/** Closes the handle; programs that were made of the image go on. NULL, and
 *  what is closed already, is an error. */
FUSE_API FuseStatus fuse_image_destroy(FuseImage image);

typedef int32_t FuseArgumentKind;
enum {
  FUSE_INPUT = 0,
  FUSE_OUTPUT_ARGUMENT = 1,
  /** A number that is given when a plan is made. */
  FUSE_SCALAR = 2
};

/** What an argument has to be. */
typedef struct FuseArgument {
  /** Set to sizeof(FuseArgument) before the call. */
  size_t struct_bytes;
  /** Good as long as the handle that was asked. */
  const char *name;
  /** `rank` sizes; -1 for one that is not known before the arguments are.
   *  Good as long as the handle that was asked. */
  const int64_t *shape;
  int32_t rank;
  FuseType type;
  /** By how much the address has to be divisible. For an output on a processor
   *  the size of an element is enough, but then every launch copies it. */
  uint32_t alignment;
} FuseArgument;

/** How many arguments of a kind there are. */
FUSE_API FuseStatus fuse_image_count(FuseImage image, FuseArgumentKind kind,
                                     size_t *count);
/** What one of them is. A scalar has only a name. */
FUSE_API FuseStatus fuse_image_argument(FuseImage image, FuseArgumentKind kind,
                                        size_t number, FuseArgument *argument);
/** How size `dimension` of an input or output follows from what is given, as
 *  docs/Image.md writes expressions: "64", "in0.size(0)", or
 *  "ceildiv(in0.size(0), 2) + scalar0". Good as long as the image. */
FUSE_API FuseStatus fuse_image_size(FuseImage image, FuseArgumentKind kind,
                                    size_t number, size_t dimension,
                                    const char **text);

/*===----------------------------------------------------------------------===*\
|* Devices and programs                                                       *|
\*===----------------------------------------------------------------------===*/

typedef struct FuseDeviceHandle *FuseDevice;

/** Opens a device. `ordinal` is the number of a GPU, or -1 for the one that
 *  FUSE_CUDA_DEVICE names, or 0. Of a processor it is how many threads to use,
 *  or -1 for as many as FUSE_NUM_THREADS says, or as there are processors. A
 *  GPU's primary context is used, and the caller's stays current. */
FUSE_API FuseStatus fuse_device_open(FuseDeviceKind kind, int32_t ordinal,
                                     FuseDevice *device);
/** Whose memory `address` is in, for arrays that do not say it. Sets `kind` and
 *  `ordinal` as FuseArray has them. What the driver knows nothing of is taken
 *  for the host's; managed memory is the GPU's for which it was allocated. */
FUSE_API FuseStatus fuse_device_find(const void *address, FuseDeviceKind *kind,
                                     int32_t *ordinal);
/** Such as "NVIDIA H200"; good as long as the device. */
FUSE_API FuseStatus fuse_device_name(FuseDevice device, const char **name);
/** Waits for everything on a stream of a GPU; says there if a kernel failed.
 *  On a processor there is nothing to wait for. */
FUSE_API FuseStatus fuse_device_wait(FuseDevice device, void *stream);
/** As fuse_image_destroy; programs that were loaded keep the device. */
FUSE_API FuseStatus fuse_device_destroy(FuseDevice device);

/** An image on a device. */
typedef struct FuseProgramHandle *FuseProgram;

/** Loads code and constants; nothing is left to be loaded at a launch. */
FUSE_API FuseStatus fuse_program_load(FuseImage image, FuseDevice device,
                                      FuseProgram *program);
/** As fuse_image_destroy; plans that were made keep the program. */
FUSE_API FuseStatus fuse_program_destroy(FuseProgram program);

/*===----------------------------------------------------------------------===*\
|* Plans and calls                                                            *|
\*===----------------------------------------------------------------------===*/

/** A program for arguments of certain sizes, with memory for what it computes
 *  in between. Its runs have to follow each other: on one stream, or with
 *  events between them. Make a plan for each stream. */
typedef struct FusePlanHandle *FusePlan;

/** Makes a plan for inputs of these types, shapes and strides; their data are
 *  not looked at, and may be NULL. */
FUSE_API FuseStatus fuse_plan_create(FuseProgram program,
                                     const FuseArray *inputs, size_t num_inputs,
                                     const int64_t *scalars, size_t num_scalars,
                                     FusePlan *plan);
/** How much memory the plan has taken on its device. */
FUSE_API FuseStatus fuse_plan_workspace_bytes(FusePlan plan, uint64_t *bytes);
/** What an output has to be: its shape is known now. */
FUSE_API FuseStatus fuse_plan_output(FusePlan plan, size_t number,
                                     FuseArgument *argument);
/** As fuse_image_destroy; calls that were made keep the plan. */
FUSE_API FuseStatus fuse_plan_destroy(FusePlan plan);

/** A plan on certain arrays, which have been checked. */
typedef struct FuseCallHandle *FuseCall;

/** Checks types, shapes, strides, alignments and, on a GPU, whose memory the
 *  arrays are in. Outputs may share memory with no other argument. The arrays
 *  have to live until the last launch has ended. */
FUSE_API FuseStatus fuse_call_create(FusePlan plan, const FuseArray *inputs,
                                     size_t num_inputs,
                                     const FuseArray *outputs,
                                     size_t num_outputs, FuseCall *call);
/** Runs it. `stream` is a CUstream or cudaStream_t of the program's device, or
 *  NULL for the default one; nothing waits, nothing is allocated, and a
 *  stream that captures a graph captures it. On a processor `stream` is NULL
 *  and the call returns when all is done. */
FUSE_API FuseStatus fuse_call_launch(FuseCall call, void *stream);
/** As fuse_image_destroy. What was launched goes on, and CUDA graphs that
 *  captured the call may be launched, as long as its plan is there. */
FUSE_API FuseStatus fuse_call_destroy(FuseCall call);

/** Makes a call, launches it, and destroys it. */
FUSE_API FuseStatus fuse_plan_run(FusePlan plan, const FuseArray *inputs,
                                  size_t num_inputs, const FuseArray *outputs,
                                  size_t num_outputs, void *stream);

/*===----------------------------------------------------------------------===*\
|* For libraries on top of this one                                           *|
\*===----------------------------------------------------------------------===*/

/** Makes `message` what fuse_last_error() says on this thread, and yields
 *  `status`. */
FUSE_API FuseStatus fuse_fail(FuseStatus status, const char *message);

#ifdef __cplusplus
}
#endif

#endif /* FUSE_C_FUSE_H */
