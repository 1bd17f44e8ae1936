"""Images for all sizes, on a GPU that there is not. Each function that starts with test_ is one."""

import contextlib
import sys

import numpy

import fake_cuda
import fuse
import fuse.graph
from checks import run, says
from fake_cuda import DlpackArray
from fuse import _library, _sizes

TWICE = """
func.func @twice(%x: tensor<?x8xf32> {fuse.name = "x"}) -> (tensor<?x8xf32> {fuse.name = "y"}) {
  %0 = arith.addf %x, %x : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
"""
REPEAT = """
func.func @repeat(%x: tensor<?xf32> {fuse.name = "x"}, %n: index {fuse.name = "n"}) -> tensor<?x?xf32> {
  %0 = fuse.broadcast %x dims [1] sizes [%n] : tensor<?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
JOIN = """
func.func @join(%a: tensor<2x4xf32> {fuse.name = "a"}, %b: tensor<?x4xf32> {fuse.name = "b"},
                %c: tensor<?x4xf32> {fuse.name = "c"}) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %0 = fuse.concat %a, %b dim 0 : tensor<2x4xf32>, tensor<?x4xf32>
  %1 = arith.addf %0, %c : tensor<?x4xf32>
  %2 = fuse.reduce sum %b dims [1] : tensor<?x4xf32>
  return %1, %2 : tensor<?x4xf32>, tensor<?xf32>
}
"""
SIZES = (100, 1, 0, 3, 257, 100, 4099)
real = _library.compile_source


@contextlib.contextmanager
def compiles(count):
    """Whether so many things are compiled, of which none is found on disk."""
    compiled = []
    _library.compile_source = lambda *arguments: compiled.append(arguments) or real(*arguments)
    try:
        yield
    finally:
        _library.compile_source = real
    assert len(compiled) == count, f"{len(compiled)} were compiled, but {count} are expected"


@fake_cuda.kernel("twice")
def double(parameter):
    # Of the variant for arrays without gaps: x, its rows, y, its rows.
    count = 8 * parameter(1)
    assert parameter(3) == parameter(1)
    fake_cuda.floats(parameter(2), count)[:] = 2 * fake_cuda.floats(parameter(0), count)


def check_twice(twice, size):
    x, y = DlpackArray((size, 8), 3), DlpackArray((size, 8), -1)
    assert twice(x, out=y) is y and (y.numbers == 6).all()


def test_one_image_serves_all_sizes():
    twice = fuse.compile(TWICE, open_sizes=True)
    with compiles(1):
        for size in SIZES:
            check_twice(twice, size)
        assert twice.image([(7, 8)], "cuda") is twice.image([(9, 8)], "cuda")
    assert len(twice._programs) == 1
    # By themselves sizes are known, and each has an image.
    twice = fuse.compile(TWICE)
    with compiles(2):
        for size in (5, 6, 5):
            twice.image([(size, 8)], "cuda")


def test_what_does_not_fit_is_said():
    twice = fuse.compile(TWICE, open_sizes=True)
    y = DlpackArray((5, 8))
    says("argument 'x' has type tensor<?x8xf32>, but is given the shape 5x9", fuse.InputError, twice, DlpackArray((5, 9)),
         out=y)
    check_twice(twice, 5)
    with compiles(0):
        says("input 0 'x' has the shape 5x9, but its size 1 has to be 8", fuse.InputError, twice, DlpackArray((5, 9)),
             out=y)
        says("input 0 'x' has the shape 40, but", fuse.InputError, twice, DlpackArray((40,)), out=y)
        says("output 0 'y': it has the shape 5x8, but 6x8 is needed", fuse.InputError, twice, DlpackArray((6, 8)), out=y)
    says("@twice has 1 arguments, but 2 were given", fuse.UsageError, twice, DlpackArray((5, 8)), y, out=y)
    says("0 arguments were given, but argument 'x' is needed, too", fuse.UsageError, twice.image, [], "cuda")


def test_sizes_to_expect_may_be_chosen():
    twice = fuse.compile(TWICE, open_sizes=True)
    with compiles(1):
        chosen = twice.image([(4096, 8)], "cuda")
        check_twice(twice, 1)
        assert twice.image([(1, 8)], "cuda") is chosen
    twice.release()
    with compiles(1):
        check_twice(twice, 1)


def test_indices_are_bound():
    repeat = fuse.compile(REPEAT, open_sizes=True)
    with compiles(2):
        for n in (3, 4, 3):
            for size in (5, 6):
                repeat(DlpackArray((size,)), n, out=DlpackArray((n, size)))
    assert repeat.image([(1,), 3], "cuda").outputs[0].shape == (3, None)


def test_shapes_of_outputs():
    twice = fuse.compile(TWICE, open_sizes=True).image([(100, 8)], "cuda")
    assert twice.inputs == [fuse.ArgumentInfo("x", "f32", (None, 8), 4)]
    assert twice.outputs == [fuse.ArgumentInfo("y", "f32", (None, 8), 4)]
    assert twice.output_shapes([(33, 8)]) == [(33, 8)]
    join = fuse.compile(JOIN, open_sizes=True).image([(2, 4), (7, 4), (9, 4)], "cuda")
    assert join.output_shapes([(2, 4), (5, 4), (7, 4)]) == [(7, 4), (5,)]
    says("input 1 has 0 dimensions, but its size 0 is needed", fuse.InputError, join.output_shapes, [(2, 4), (), (7, 4)])
    says("'join' has 3 inputs, but 1 were given", fuse.UsageError, join.output_shapes, [(2, 4)])
    says("'join' has 0 scalars, but 1 were given", fuse.UsageError, join.output_shapes, [(2, 4)] * 3, [1])
    says("the inputs are 7, but a list is needed", fuse.UsageError, join.output_shapes, 7)
    says("the sizes of input 0 are 7, but a list is needed", fuse.UsageError, twice.output_shapes, [7])
    says("the scalars are 7, but a list is needed", fuse.UsageError, twice.output_shapes, [(33, 8)], 7)
    # Of known sizes, too, and on a processor.
    assert fuse.compile(TWICE).image([(5, 8)]).output_shapes([(5, 8)]) == [(5, 8)]


def test_sizes_are_computed_as_the_runtime_does():
    for left in range(-7, 8):
        for right in (-3, -2, -1, 1, 2, 3):
            sizes = [(left, right)]
            assert _sizes.evaluate("floordiv(in0.size(0), in0.size(1))", sizes) == left // right
            assert _sizes.evaluate("ceildiv(in0.size(0), in0.size(1))", sizes) == -((-left) // right)
            assert _sizes.evaluate("in0.size(0) % in0.size(1)", sizes) == left - left // right * right
    assert _sizes.evaluate("2 + max(in0.size(0) * 3, in1.size(1)) - scalar0", [(5,), (1, 16)], [4]) == 14
    assert _sizes.evaluate("min(in0.size(0), 4)", [(5,)]) == 4
    says("'floordiv(1, in0.size(0))' divides by zero", fuse.InputError, _sizes.evaluate, "floordiv(1, in0.size(0))", [(0,)])
    # Symbols are what somebody else computes with.
    assert _sizes.evaluate("min(in0.size(0), 4)", [("n",)], (), {"min": lambda left, right: (left, right)}) == ("n", 4)


def test_loaded_images_serve_all_sizes():
    fuse.compile(TWICE, open_sizes=True).image([(64, 8)], "cuda").write("twice.fuse")
    twice = fuse.load("twice.fuse")
    with compiles(0):
        for size in SIZES:
            check_twice(twice, size)


def test_graphs_have_open_sizes():
    g = fuse.graph.Graph("twice")
    x = g.input("x", "f32", (None, 8))
    g.output(x + x, "y")
    twice = g.compile(open_sizes=True)
    with compiles(1):
        for size in SIZES:
            check_twice(twice, size)


def test_processors_have_one_image_too():
    twice, join = fuse.compile(TWICE, open_sizes=True), fuse.compile(JOIN, open_sizes=True)
    with compiles(2):
        for size in SIZES:
            x = numpy.random.rand(size, 8).astype("float32")
            assert (twice(x) == 2 * x).all()
            a, b, c = (numpy.random.rand(rows, 4).astype("float32") for rows in (2, size, size + 2))
            joined, sums = join(a, b, c)
            assert (joined == numpy.concatenate([a, b]) + c).all() and numpy.allclose(sums, b.sum(1))
        assert twice.image([(5, 8)]) is twice.image([(6, 8)]) and twice.image([(5, 8)]).inputs[0].shape == (None, 8)
        says("fuse.concat at <memory>:4 makes a size that something else needs to be another: needed is 2 + in1.size(0) == "
             "in2.size(0), but in1.size(0) is 4 and in2.size(0) is 7", fuse.InputError, join, a, b[:4], c[:7])
        says("input 0 'x' has the shape 5x9, but its size 1 has to be 8", fuse.InputError, twice,
             numpy.ones((5, 9), "float32"))
        says("output 0 'y': it has the shape 5x8, but 6x8 is needed", fuse.InputError, twice, x[:6].copy(), out=x[:5])
    # Values of indices are bound there, too.
    repeat = fuse.compile(REPEAT, open_sizes=True)
    with compiles(2):
        for n, size in ((3, 5), (4, 5), (3, 6)):
            assert repeat(numpy.ones(size, "float32"), n).shape == (n, size)


def test_one_image_serves_both_kinds_of_devices():
    twice = fuse.compile(TWICE, open_sizes=True, chip=["sm_90a", "x86-64"])
    twice.image([(64, 8)]).write("both.fuse")
    both = fuse.load("both.fuse")
    with compiles(0):
        for size in SIZES:
            check_twice(both, size)
            assert (both(numpy.ones((size, 8), "float32")) == 2).all()


if __name__ == "__main__":
    sys.exit(run(globals()))
