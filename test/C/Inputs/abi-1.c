/* Version 1 of the interface, as programs were built for it: whoever changes
 * what stands here needs another FUSE_ABI_VERSION. What is new is added.
 */

#include <fuse-c/FuseCompiler.h>

#include <stdio.h>

#define IS(name, value)                                                        \
  _Static_assert((name) == (value), #name " is another number")
#define AT(type, field, offset)                                                \
  _Static_assert(offsetof(type, field) == (offset),                            \
                 #type "." #field " is elsewhere")

IS(FUSE_ABI_VERSION, 1);
IS(FUSE_OK, 0);
IS(FUSE_BAD_USAGE, 1);
IS(FUSE_BAD_INPUT, 2);
IS(FUSE_UNSUPPORTED, 3);
IS(FUSE_OUTPUT, 4);
IS(FUSE_DEVICE, 5);
IS(FUSE_I1, 0);
IS(FUSE_I8, 1);
IS(FUSE_I16, 2);
IS(FUSE_I32, 3);
IS(FUSE_I64, 4);
IS(FUSE_INDEX, 5);
IS(FUSE_F8E4M3FN, 6);
IS(FUSE_BF16, 7);
IS(FUSE_F16, 8);
IS(FUSE_F32, 9);
IS(FUSE_F64, 10);
IS(FUSE_CPU, 1);
IS(FUSE_CUDA, 2);
IS(FUSE_INPUT, 0);
IS(FUSE_OUTPUT_ARGUMENT, 1);
IS(FUSE_SCALAR, 2);
IS(sizeof(FuseStatus), 4);
IS(sizeof(FuseType), 4);
IS(sizeof(FuseDeviceKind), 4);
IS(sizeof(FuseArgumentKind), 4);

/* Callers make lists of these, so they never grow. */
IS(sizeof(FuseArray), 40);
AT(FuseArray, data, 0);
AT(FuseArray, shape, 8);
AT(FuseArray, strides, 16);
AT(FuseArray, rank, 24);
AT(FuseArray, type, 28);
AT(FuseArray, device_kind, 32);
AT(FuseArray, device_ordinal, 36);

/* This one has struct_bytes. */
_Static_assert(sizeof(FuseArgument) >= 40, "FuseArgument has shrunk");
AT(FuseArgument, struct_bytes, 0);
AT(FuseArgument, name, 8);
AT(FuseArgument, shape, 16);
AT(FuseArgument, rank, 24);
AT(FuseArgument, type, 28);
AT(FuseArgument, alignment, 32);

typedef void (*Function)(void);
#define SAME(name, result, ...)                                                \
  _Static_assert(_Generic(&name, result (*)(__VA_ARGS__): 1, default: 0),      \
                 #name " takes something else");                               \
  functions[count++] = (Function) & name
#define STATUS(name, ...) SAME(name, FuseStatus, __VA_ARGS__)

int main(void) {
  Function functions[64];
  int count = 0;
  SAME(fuse_last_error, const char *, void);
  SAME(fuse_abi_version, uint32_t, void);
  STATUS(fuse_check_abi, uint32_t);
  SAME(fuse_version, const char *, void);
  SAME(fuse_type_bytes, size_t, FuseType);
  SAME(fuse_type_name, const char *, FuseType);
  STATUS(fuse_fail, FuseStatus, const char *);

  STATUS(fuse_image_parse, const void *, size_t, FuseImage *);
  STATUS(fuse_image_read, const char *, FuseImage *);
  STATUS(fuse_image_write, FuseImage, const char *);
  STATUS(fuse_image_serialize, FuseImage, void *, size_t, size_t *);
  STATUS(fuse_image_describe, FuseImage, char *, size_t, size_t *);
  STATUS(fuse_image_name, FuseImage, const char **);
  STATUS(fuse_image_count_diagnostics, FuseImage, size_t *);
  STATUS(fuse_image_diagnostic, FuseImage, size_t, const char **);
  STATUS(fuse_image_has_code, FuseImage, FuseDeviceKind, int32_t *);
  STATUS(fuse_image_count, FuseImage, FuseArgumentKind, size_t *);
  STATUS(fuse_image_argument, FuseImage, FuseArgumentKind, size_t,
         FuseArgument *);
  STATUS(fuse_image_size, FuseImage, FuseArgumentKind, size_t, size_t,
         const char **);
  STATUS(fuse_image_destroy, FuseImage);

  STATUS(fuse_device_open, FuseDeviceKind, int32_t, FuseDevice *);
  STATUS(fuse_device_find, const void *, FuseDeviceKind *, int32_t *);
  STATUS(fuse_device_name, FuseDevice, const char **);
  STATUS(fuse_device_wait, FuseDevice, void *);
  STATUS(fuse_device_destroy, FuseDevice);
  STATUS(fuse_program_load, FuseImage, FuseDevice, FuseProgram *);
  STATUS(fuse_program_destroy, FuseProgram);

  STATUS(fuse_plan_create, FuseProgram, const FuseArray *, size_t,
         const int64_t *, size_t, FusePlan *);
  STATUS(fuse_plan_workspace_bytes, FusePlan, uint64_t *);
  STATUS(fuse_plan_output, FusePlan, size_t, FuseArgument *);
  STATUS(fuse_plan_destroy, FusePlan);
  STATUS(fuse_plan_run, FusePlan, const FuseArray *, size_t, const FuseArray *,
         size_t, void *);
  STATUS(fuse_call_create, FusePlan, const FuseArray *, size_t,
         const FuseArray *, size_t, FuseCall *);
  STATUS(fuse_call_launch, FuseCall, void *);
  STATUS(fuse_call_destroy, FuseCall);

  STATUS(fuse_compile, const void *, size_t, const char *, const char *const *,
         size_t, FuseImage *);
  STATUS(fuse_compile_file, const char *, const char *const *, size_t,
         FuseImage *);
  SAME(fuse_compiler_version, const char *, void);

  /* All are in the libraries, or this would not start. */
  for (int i = 0; i < count; ++i)
    if (!functions[i])
      return 1;
  printf("%d functions\n", count);
  return fuse_check_abi(1) == FUSE_OK ? 0 : 2;
}
