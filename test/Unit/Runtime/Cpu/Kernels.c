/* What a compiler could leave for a processor: code with data of all kinds,
 * and calls of the C library. It is compiled to an object that is not linked.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How a kernel sees an array of one dimension. */
struct Array {
  float *allocated, *data;
  int64_t offset, size, stride;
};

static float add(float a, float b) { return a + b; }
static float multiply(float a, float b) { return a * b; }

typedef float (*Operation)(float, float);
Operation operations[] = {add, multiply};
static const float factors[] = {2, 3, 5, 7};
int64_t blocks_run;
static int64_t blocks_counted = 1000;

/* y[i] = x[i] * factors[i % 4] + x[i] */
void fuse_packed_scale(void **arguments) {
  struct Array *x = *(struct Array **)arguments[0];
  struct Array *y = *(struct Array **)arguments[1];
  int64_t begin = *(int64_t *)arguments[2], end = *(int64_t *)arguments[3];
  float copy[64];
  for (int64_t i = begin; i < end; ++i) {
    memcpy(copy, x->data, (size_t)x->size * sizeof(float));
    y->data[i] = operations[0](operations[1](copy[i], factors[i % 4]), copy[i]);
    ++blocks_run;
    ++blocks_counted;
  }
}

/* How often the other one has run. */
void fuse_packed_count(void **arguments) {
  struct Array *y = *(struct Array **)arguments[0];
  memset(y->data, 0, (size_t)y->size * sizeof(float));
  y->data[0] = (float)blocks_run;
  y->data[1] = (float)blocks_counted;
}
