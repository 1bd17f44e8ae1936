// Runs an image with inputs of ones: `run IMAGE.fuse`.

#include <fuse-c/Fuse.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>

namespace {

struct Buffer {
  std::unique_ptr<float, decltype(&std::free)> data;
  FuseArray array;
};

Buffer make(const FuseArgument &argument) {
  size_t count = std::accumulate(argument.shape, argument.shape + argument.rank,
                                 size_t(1), std::multiplies<>());
  size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
  auto *memory = static_cast<float *>(std::aligned_alloc(64, bytes));
  std::fill_n(memory, count, 1.0f);
  return {{memory, &std::free},
          {memory, argument.shape, nullptr, argument.rank, argument.type,
           FUSE_CPU, 0}};
}

} // namespace

int main(int argc, char **argv) try {
  if (argc < 2)
    return 2;
  fuse::Image image = fuse::Image::read(argv[1]);
  for (const std::string &text : image.diagnostics())
    std::cerr << text << "\n";
  fuse::Device device = fuse::Device::cpu();
  fuse::Program program(image, device);
  Buffer x = make(image.argument(FUSE_INPUT, 0));
  fuse::Plan plan(program, {x.array});
  Buffer y = make(plan.output(0));
  fuse::Call call(plan, {x.array}, {y.array});
  call.launch();
  std::cout << "@" << image.name() << ": " << y.data.get()[0] << "\n";
  return 0;
} catch (const fuse::Error &error) {
  std::cerr << "status " << error.status() << ": " << error.what() << "\n";
  return 1;
}
