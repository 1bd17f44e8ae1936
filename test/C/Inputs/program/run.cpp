// Runs an image with inputs of ones: `run IMAGE.fuse [SIZE...]`, once for each
// size that those it leaves open shall have.

#include <fuse-c/Fuse.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>
#include <vector>

namespace {

class Buffer {
public:
  explicit Buffer(const FuseArgument &argument, int64_t open = 0)
      : shape(argument.shape, argument.shape + argument.rank) {
    std::replace(shape.begin(), shape.end(), int64_t(-1), open);
    size_t count = std::accumulate(shape.begin(), shape.end(), size_t(1),
                                   std::multiplies<>());
    size_t bytes = (count * sizeof(float) / 64 + 1) * 64;
    memory.reset(static_cast<float *>(std::aligned_alloc(64, bytes)));
    std::fill_n(memory.get(), count, 1.0f);
    array = {memory.get(),  shape.data(), nullptr, argument.rank,
             argument.type, FUSE_CPU,     0};
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  std::vector<int64_t> shape;
  std::unique_ptr<float, decltype(&std::free)> memory{nullptr, &std::free};
  FuseArray array = {};
};

void run(const fuse::Image &image, const fuse::Program &program, int64_t open) {
  Buffer x(image.argument(FUSE_INPUT, 0), open);
  fuse::Plan plan(program, {x.array});
  Buffer y(plan.output(0));
  fuse::Call call(plan, {x.array}, {y.array});
  call.launch();
  std::cout << "@" << image.name() << ": ";
  for (int64_t size : y.shape)
    std::cout << size << "x";
  std::cout << " " << y.memory.get()[0] << "\n";
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
  run(image, program, argc < 3 ? 0 : std::atoll(argv[2]));
  for (int i = 3; i < argc; ++i)
    run(image, program, std::atoll(argv[i]));
  return 0;
} catch (const fuse::Error &error) {
  std::cerr << "status " << error.status() << ": " << error.what() << "\n";
  return 1;
}
