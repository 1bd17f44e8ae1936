/* Compiles a graph, runs it, and leaves the image in a file:
 *
 *   compile GRAPH.mlir IMAGE.fuse
 */

#include <fuse-c/FuseCompiler.h>

#include <stdio.h>
#include <stdlib.h>

static void check(FuseStatus status) {
  if (status == FUSE_OK)
    return;
  fprintf(stderr, "status %d: %s\n", (int)status, fuse_last_error());
  exit(1);
}

int main(int argc, char **argv) {
  const char *options[] = {"shape=x:100x8", "cache=off"};
  const int64_t shape[] = {100, 8};
  FuseImage image;
  FuseDevice device;
  FuseProgram program;
  FusePlan plan;
  FuseArray x = {0}, y = {0};
  const char *name;
  int i;
  if (argc != 3)
    return 2;
  check(fuse_check_abi(FUSE_ABI_VERSION));
  check(fuse_compile_file(argv[1], options, 2, &image));
  check(fuse_image_write(image, argv[2]));
  check(fuse_image_name(image, &name));
  printf("@%s, by %s\n", name, fuse_compiler_version());

  check(fuse_device_open(FUSE_CPU, 2, &device));
  check(fuse_program_load(image, device, &program));
  x.shape = y.shape = shape;
  x.rank = y.rank = 2;
  x.type = y.type = FUSE_F32;
  x.device_kind = y.device_kind = FUSE_CPU;
  x.data = aligned_alloc(64, 100 * 8 * sizeof(float));
  y.data = aligned_alloc(64, 100 * 8 * sizeof(float));
  for (i = 0; i < 800; ++i)
    ((float *)x.data)[i] = (float)i;
  check(fuse_plan_create(program, &x, 1, NULL, 0, &plan));
  check(fuse_plan_run(plan, &x, 1, &y, 1, NULL));
  for (i = 0; i < 800; ++i)
    if (((float *)y.data)[i] != (float)(2 * i))
      return 3;
  printf("right\n");
  check(fuse_plan_destroy(plan));
  check(fuse_program_destroy(program));
  check(fuse_device_destroy(device));
  check(fuse_image_destroy(image));
  free(x.data);
  free(y.data);
  return 0;
}
