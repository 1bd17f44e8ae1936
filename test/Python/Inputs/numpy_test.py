"""The Python package on this machine's processor, with NumPy. Each function that starts with test_ is one."""

import copy
import gc
import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import traceback
import warnings

import numpy

import fuse
import fuse.graph
from checks import run, says

TWICE = """
func.func @twice(%x: tensor<?xf32> {fuse.name = "x"}) -> (tensor<?xf32> {fuse.name = "y"}) {
  %0 = arith.addf %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
SUMS = """
func.func @sums(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %s = fuse.reduce sum %x dims [1] : tensor<?x?xf32>
  %z = arith.addf %x, %y : tensor<?x?xf32>
  return %z, %s : tensor<?x?xf32>, tensor<?xf32>
}
"""
twice = fuse.compile(TWICE)


def test_results():
    for size in (0, 1, 5, 1000, 5):
        x = numpy.arange(size, dtype="float32")
        y = twice(x)
        assert isinstance(y, numpy.ndarray) and y.dtype == x.dtype and (y == 2 * x).all()
    sums = fuse.compile(SUMS)
    x, y = numpy.random.rand(33, 65).astype("float32"), numpy.ones((33, 65), "float32")
    z, rows = sums(x, y)
    assert (z == x + y).all() and numpy.allclose(rows, x.sum(1), atol=1e-4)


def test_outputs_may_be_given():
    x = numpy.ones(64, "float32")
    memory = numpy.empty(64 + 16, "float32")
    start = -memory.ctypes.data % 64 // 4
    out = memory[start:start + 64]
    assert twice(x, out=out) is out and (out == 2).all()
    # Code for processors writes from lines of the cache on.
    odd = memory[start + 1:start + 65]
    memory[:] = 5
    for _ in range(2):
        assert twice(x, out=odd) is odd and (odd == 2).all()
    assert memory[start] == 5 and (memory[start + 65:] == 5).all()
    says("output 0 'y': it shares memory with input 0 'x'", fuse.InputError, twice, odd, out=odd)
    says("output 0 'y': its address is not divisible by 4, as is needed: make a copy", fuse.InputError, twice, x,
         out=numpy.frombuffer(bytearray(4 * 64 + 1), "uint8")[1:].view("float32"))
    says("output 0 'y': it has the shape 3, but 64 is needed", fuse.InputError, twice, x, out=out[:3])
    says("output 0 'y': it shares memory with input 0 'x'", fuse.InputError, twice, out, out=out)


def test_numbers_and_pictures():
    # The data of a number of NumPy are there for a moment only, so that the next one had the same address.
    both = fuse.compile("""func.func @f(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      %zero = arith.constant dense<0.0> : tensor<f32>
      %0 = arith.addf %a, %zero : tensor<f32>
      %1 = arith.addf %b, %zero : tensor<f32>
      return %0, %1 : tensor<f32>, tensor<f32>
    }""")
    x = numpy.arange(6, dtype="float32")
    assert [float(y) for y in both(numpy.float32(1), numpy.float32(2))] == [1, 2]
    assert [float(y) for y in both(x.sum(), x.max())] == [15, 5]
    says("may only be read", fuse.InputError, both, x.sum(), x.max(), out=[numpy.float32(1), numpy.float32(2)])

    # Pictures have their bytes where an address was expected.
    class Picture:
        __array_interface__ = {"shape": (6,), "typestr": "<f4", "version": 3, "data": x.tobytes()}

    assert (twice(Picture()) == 2 * x).all()

    class Nothing:
        __array_interface__ = {}

    says("argument 0 has no data at an address", fuse.InputError, twice, Nothing())


def test_types():
    text = """func.func @f(%a: tensor<4xi1>, %b: tensor<4xi32>, %c: tensor<4xf16>, %d: tensor<4xf64>, %n: index)
        -> (tensor<4xi1>, tensor<4xi32>, tensor<4xf16>, tensor<4xf64>) {
      return %a, %b, %c, %d : tensor<4xi1>, tensor<4xi32>, tensor<4xf16>, tensor<4xf64>
    }"""
    arrays = [numpy.array([1, 0, 1, 1], type) for type in ("bool", "int32", "float16", "float64")]
    for found, given in zip(fuse.compile(text)(*arrays, 7), arrays):
        assert found.dtype == given.dtype and (found == given).all()


def test_bad_arrays_are_named():
    x = numpy.ones(6, "float32")
    says("input 0 'x': it has elements of f64, but f32 is needed", fuse.InputError, twice, x.astype("float64"))
    says("input 0 'x': its stride 0 is -1, but negative strides are not supported: make a copy", fuse.InputError, twice,
         x[::-1])
    says("input 0 'x': its strides are 2 for the shape 3, but row-major order without gaps is needed", fuse.InputError,
         twice, x[::2])
    says("argument 0 has elements of type <c8, which fuse does not have", fuse.InputError, twice, x.astype("complex64"))
    says("argument 'x' has type tensor<?xf32>, but is given the shape 2x3", fuse.InputError, twice, x.reshape(2, 3))
    says("argument 0 is a builtins.str, but an array is needed that speaks DLPack", fuse.InputError, twice, "x")
    says("the ordinal is [], but the number of a device is needed", fuse.UsageError, twice.program, [(6,)], "cpu", [])
    says("'['cpu']' is no kind of devices: there are cpu and cuda", fuse.UsageError, twice.program, [(6,)], ["cpu"])
    says("input 0 is a builtins.list, but an array is needed", fuse.InputError, twice.program([(6,)]).run, [[1.0]])
    says("output 0 'y' is a builtins.list, but an array is needed", fuse.InputError, twice, x, out=[[1.0]])
    odd = numpy.zeros(4 * 6 + 1, "uint8")[1:].view("float32")
    says("input 0 'x': its address is not divisible by 4", fuse.InputError, twice, odd)
    record = numpy.zeros(4, numpy.dtype([("a", "f4"), ("b", "u1")]))["a"]
    says("argument 0 has a stride of 5 bytes, which is not a multiple of its elements' 4", fuse.InputError, twice, record)
    program = twice.program([(6,)])
    says("'twice' has 1 inputs, but 2 were given", fuse.UsageError, program.run, [x, x])
    says("a stream was given, but the program runs on a processor", fuse.UsageError, twice, x, stream=64)
    for stream in ("a", 2.5, True, -1, 1 << 64, 1 << 70, [], x):
        says("but its handle is needed, a whole number of 64 bits", fuse.UsageError, twice, x, stream=stream)
    assert (twice(x, stream=numpy.int64(0)) == 2 * x).all()
    for image in (None, "a"):
        says("was given, but an Image is needed", fuse.UsageError, fuse.Program, image)


def test_arguments_are_counted_first():
    x = numpy.ones(6, "float32")
    says("0 arguments were given, but argument 'x' is needed, too", fuse.UsageError, twice)
    says("@twice has 1 arguments, but 2 were given", fuse.UsageError, twice, x, x)
    says("'twice' has 1 inputs, but 0 arrays and 1 numbers were given: a number only stands for an index",
         fuse.UsageError, twice, 3)
    says("'twice' has 1 inputs, but 0 were given", fuse.UsageError, twice.program([(6,)]).run, [])
    says("the shape of argument 0 is 'a', but whole numbers are needed", fuse.UsageError, twice.image, ["a"])
    says("the shape of argument 0 is None, but whole numbers are needed", fuse.UsageError, twice.image, [None])
    says("the shape of argument 0 is (-3,), but no size is less than 0", fuse.InputError, twice.image, [(-3,)])


def test_indices_are_whole_numbers():
    f = fuse.compile("""func.func @f(%n: index, %x: tensor<4xf32>) -> tensor<?x4xf32> {
      %r = fuse.broadcast %x dims [1] sizes [%n] : tensor<4xf32> -> tensor<?x4xf32>
      return %r : tensor<?x4xf32>
    }""")
    x = numpy.ones(4, "float32")
    assert f(3, x).shape == f(numpy.int64(3), x).shape == f(numpy.uint8(3), x).shape == (3, 4)
    says("argument 0 is -3, but an index is no less than 0", fuse.InputError, f, -3, x)
    says("argument '0' is an index, but no whole number was given for it", fuse.UsageError, f, numpy.float32(3), x)


def test_paths_are_whole():
    for function in (fuse.Image.read, fuse.load, fuse.compile, twice.image([(8,)]).write):
        says("the path 'a\\x00b' has a zero in it", fuse.InputError, function, "a\0b")
    # A brace makes no text of the path of a file.
    for path in ("with {braces}", "{braces}.mlir"):
        with open(path, "w") as file:
            file.write(TWICE)
        assert (fuse.compile(path)(numpy.ones(3, "float32")) == 2).all()
    says("cannot read 'no {braces}.mlir': No such file", fuse.InputError, fuse.compile, "no {braces}.mlir")
    says("a int was given, but the path of a file is needed", fuse.UsageError, fuse.load, 3)


def test_bad_graphs_are_named():
    says("is not a valid module\n<memory>:1:", fuse.InputError, fuse.compile("func.func @f( {"), numpy.ones(3, "float32"))
    says("cannot read 'none.mlir': No such file", fuse.InputError, fuse.compile, "none.mlir")
    says("'/dev/zero' is a device, but a file or a pipe is needed", fuse.InputError, fuse.compile, "/dev/zero")
    says("a int was given, but a module or the path of a file is needed", fuse.UsageError, fuse.compile, 3)
    for options in ("cache=off", [3], 3, None):
        says("but a list of texts is needed", fuse.UsageError, fuse.compile, TWICE, options=options)
    for chip in (3, [3]):
        says("but its name is needed, such as 'sm_90a', or a list", fuse.UsageError, fuse.compile, TWICE, chip=chip)
    for options in ({"entry": "twice\0g"}, {"options": ["opt-level=1\0"]}, {"chip": "cpu\0"}, {"chip": ["cpu", "a\0"]},
                    {"schedules": {"a\0": "b"}}):
        says("has a zero in it, which would be its end", fuse.InputError, fuse.compile, TWICE, **options)
    says("the option 'entry=\\udc80' is no text of Unicode", fuse.InputError, fuse.compile, TWICE, entry="\udc80")
    says("the module is no text of Unicode", fuse.InputError, fuse.compile, "func {\udc80")
    for schedules in (["parallel = [64]"], {1: "parallel = [64]"}, {"twice_0": 3}):
        says("but texts by the names of kernels are needed", fuse.UsageError, fuse.compile, TWICE, schedules=schedules)
    says("the entry is 3, but the name of a function is needed", fuse.UsageError, fuse.compile, TWICE, entry=3)
    says("has no function 'g'", fuse.InputError, fuse.compile(TWICE, entry="g"), numpy.ones(3, "float32"))
    says("has several functions, 'twice', 'twice2'", fuse.UsageError,
         fuse.compile(TWICE + TWICE.replace("@twice", "@twice2")), numpy.ones(3, "float32"))
    says("option 'chip=sm_1': there is code for sm_80", fuse.UsageError, fuse.compile(TWICE, chip="sm_1"),
         numpy.ones(3, "float32"))
    says("option 'opt-level=9': a number from 0 to 3 is needed", fuse.UsageError,
         fuse.compile(TWICE, options=["opt-level=9"]), numpy.ones(3, "float32"))
    says("option 'nothing=1': there is no such option", fuse.UsageError, fuse.compile(TWICE, options=["nothing=1"]),
         numpy.ones(3, "float32"))
    says("but @twice has no such argument", fuse.UsageError, fuse.compile(TWICE, options=["shape=z:3"]),
         numpy.ones(3, "float32"))


def test_images():
    image = twice.image([(8,)])
    assert image.name == "twice" and image.has_code_for("cpu") and not image.has_code_for("cuda")
    assert image.inputs == [fuse.ArgumentInfo("x", "f32", (8,), 4)]
    assert image.outputs == [fuse.ArgumentInfo("y", "f32", (8,), 64)]
    assert "image 'twice' by fuse" in image.describe()
    image.write("twice.fuse")
    for source in ("twice.fuse", pathlib.Path("twice.fuse"), image.to_bytes(), image):
        assert (fuse.load(source)(numpy.ones(8, "float32")) == 2).all()
    says("is an image, which is compiled already", fuse.InputError, fuse.compile, "twice.fuse")
    says("input 0 'x' has the shape 9, but its size 0 has to be 8", fuse.InputError, fuse.load("twice.fuse"),
         numpy.ones(9, "float32"))
    data = image.to_bytes()
    for place in range(0, len(data), 13):
        damaged = bytearray(data)
        damaged[place] ^= 64
        says("", fuse.Error, fuse.load, bytes(damaged))
        says("", fuse.Error, fuse.load, data[:place])
    assert fuse.Image.parse(memoryview(bytearray(data))).to_bytes() == data
    says("a str was given, but the bytes of an image are needed", fuse.UsageError, fuse.Image.parse, "abc")


SPILLS = """
tile.kernel @many_tiles(%x: memref<256x512xf32>, %y: memref<256x512xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<256x512xf32> -> tensor<256x512xf32>
  %1 = tile.reduce max %0 dims [0, 1] : tensor<256x512xf32> -> tensor<f32>
  %2 = tile.broadcast %1 dims [] : tensor<f32> -> tensor<256x512xf32>
  %3 = arith.subf %0, %2 : tensor<256x512xf32>
  tile.store %3, %y[%c0, %c0] : tensor<256x512xf32>, memref<256x512xf32>
  tile.return
}
func.func @many(%x: tensor<256x512xf32>) -> tensor<256x512xf32> {
  %y = tile.launch @many_tiles blocks() (%x) : (tensor<256x512xf32>) -> tensor<256x512xf32>
  return %y : tensor<256x512xf32>
}
"""


def test_warnings_of_the_compiler_are_told():
    program = fuse.compile(SPILLS, chip="sm_90a")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        image = program.image([(256, 512)])
    assert [str(each.message) for each in caught] == [text for text in image.diagnostics if " warning: " in text]
    # Without a ptxas nobody knows of spills.
    if " bytes spilled, " in image.describe():
        assert any(" warning: kernel @many_tiles (aligned) spills registers " in text for text in image.diagnostics)
    assert twice.image([(8,)]).diagnostics == []


def test_what_is_closed_is_not_used():
    image = fuse.Image.parse(twice.image([(8,)]).to_bytes())
    function = fuse.load(image)
    x = numpy.ones(8, "float32")
    assert (function(x) == 2).all()
    image.close()
    image.close()
    says("an image is needed, but what was given is closed", fuse.UsageError, lambda: image.name)
    # What was made of it goes on.
    assert (function(x) == 2).all()
    with twice.image([(9,)]) as image:
        pass
    assert (twice(numpy.ones(9, "float32")) == 2).all() and twice.image([(9,)]).name == "twice"
    program = fuse.Program(twice.image([(8,)]))
    with fuse.Image.parse(twice.image([(8,)]).to_bytes()) as other:
        pass
    says("what was given is closed", fuse.UsageError, fuse.Program, other)
    program._program.close()
    says("a program is needed, but what was given is closed", fuse.UsageError, program.run, [numpy.ones(8, "float32")])


def test_copies_are_of_their_own():
    x = numpy.ones(8, "float32")
    image = twice.image([(8,)])
    for again in (pickle.loads(pickle.dumps(image)), copy.copy(image), copy.deepcopy(image)):
        assert again.handle != image.handle and again.to_bytes() == image.to_bytes()
        again.close()
    del again
    gc.collect()
    assert image.name == "twice"
    for function in (twice, fuse.load(image), fuse.compile(TWICE, open_sizes=True, options=["opt-level=0"])):
        for again in (pickle.loads(pickle.dumps(function)), copy.copy(function), copy.deepcopy(function)):
            assert (again(x) == 2).all() and again.has_one_image == function.has_one_image
            assert repr(again) == repr(function)
    says("a device of fuse cannot be copied or pickled: make another one", TypeError, pickle.dumps, fuse.Program(image))
    # A process that starts anew finds what was compiled on disk.
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert (pool.apply_async(twice, (x,)).get(120) == 2).all()


def test_threads():
    problems = []

    def work(size):
        try:
            x = numpy.random.rand(size).astype("float32")
            for _ in range(50):
                assert (twice(x) == 2 * x).all()
        except BaseException:
            problems.append(traceback.format_exc())

    threads = [threading.Thread(target=work, args=(1000 + number % 3,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems, problems[0]


def test_children():
    x = numpy.ones(8, "float32")
    twice(x)
    program = twice.program([(8,)])
    child = os.fork()
    if child == 0:
        try:
            # What a parent had is told of, and a new one is made.
            says("was made before this process was forked", fuse.UsageError, program.run, [x])
            os._exit(0 if (twice(x) == 2).all() else 1)
        except BaseException:
            traceback.print_exc()
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (twice(x) == 2).all()


def run_python(code, **environment):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environment})


def test_import_without_the_library():
    done = run_python("import fuse", FUSE_LIBRARY_DIR="/none")
    assert done.returncode == 1 and done.stderr.splitlines()[-1].startswith(
        "ImportError: the library libfuse.so.1 of fuse was not found ("), done.stderr
    assert "set FUSE_LIBRARY_DIR to the folder that it is in" in done.stderr
    # Where images are only run, the compiler need not be there.
    os.makedirs("runtime", exist_ok=True)
    if not os.path.exists("runtime/libfuse.so.1"):
        os.symlink(os.path.join(os.environ["FUSE_LIBRARY_DIR"], "libfuse.so.1"), "runtime/libfuse.so.1")
    twice.image([(8,)]).write("twice.fuse")
    done = run_python("import fuse, numpy\nx = numpy.ones(8, 'float32')\nprint(fuse.load('twice.fuse')(x)[0])\n"
                      f"fuse.compile('''{TWICE}''')(x)", FUSE_LIBRARY_DIR=os.path.abspath("runtime"))
    assert done.stdout == "2.0\n" and "ImportError: the library libfuse-compiler.so.1" in done.stderr, done


def test_other_libraries_are_refused():
    code = "import fuse._library as l\nl.ABI_VERSION = 99\nl._check_abi()"
    done = run_python(code)
    assert "ImportError: the program was built for version 99 of fuse's C interface, but the library has version 1" \
        in done.stderr, done.stderr
    os.makedirs("strange", exist_ok=True)
    if not os.path.exists("strange/libfuse.so.1"):
        os.symlink(os.path.join(os.environ["FUSE_LIBRARY_DIR"], "libfuse-compiler.so.1"), "strange/libfuse.so.1")
    done = run_python("import fuse._library as l\nl._open('libfuse.so.1', {'fuse_none': []})")
    assert "has no function fuse_none: it is older than the Python package" in done.stderr, done.stderr


def test_handles_are_closed():
    image = fuse.Image.parse(twice.image([(8,)]).to_bytes())
    handle = image.handle
    del image
    gc.collect()
    says("what was given is closed", fuse.UsageError, lambda: fuse._library.call(
        "fuse_image_has_code", handle, 1, fuse._library.ctypes.byref(fuse._library.ctypes.c_int32())))


def test_graphs_are_written():
    g = fuse.graph.Graph("layer")
    x, w, b = g.input("x", "f32", (None, 64)), g.input("w", "f32", (64, 32)), g.input("b", "f32", (32,))
    y = g.gelu(g.linear(x, w, bias=b), "tanh")
    rows = g.reduce("max", y, [1])
    shifted = y - g.broadcast(rows, [0], like=y)
    g.output(g.softmax(shifted * 2 + 1), "probabilities")
    g.output((rows.cast("f64") / 2).cast("f32"), "half")
    g.output(g.select(y > 0, y, -y), "absolute")
    assert 'fuse.name = "probabilities"' in g.text()
    f = g.compile()
    rng = numpy.random.default_rng(1)
    xs, ws, bs = (rng.standard_normal(shape).astype("float32") for shape in ((7, 64), (64, 32), (32,)))
    probabilities, half, absolute = f(xs, ws, bs)
    t = xs @ ws + bs
    t = t * 0.5 * (1 + numpy.tanh(numpy.sqrt(2 / numpy.pi) * (t + 0.044715 * t ** 3)))
    e = numpy.exp(2 * (t - t.max(1, keepdims=True)))
    assert numpy.allclose(probabilities, e / e.sum(1, keepdims=True), atol=1e-5)
    assert numpy.allclose(half, t.max(1) / 2, atol=1e-4) and numpy.allclose(absolute, abs(t), atol=1e-4)


def test_graphs_move_and_norm():
    g = fuse.graph.Graph("moves")
    x = g.input("x", "f32", (4, 6))
    s = g.input("s", "f32", (6,))
    g.output(g.concat([g.slice(x, slice(0, 2)), g.slice(x, None, None), g.slice(x, slice(1, 4, 2))], 0))
    g.output(g.transpose(x, [1, 0]) @ x)
    g.output(g.rms_norm(g.layer_norm(x, scale=s, shift=s), scale=s))
    g.output(g.op("math.powf {0}, {1} : {0.tensor}", "f32", (4, 6), g.abs(x), g.full(float("inf"), x)))
    g.output(g.maximum(x, 0).cast("i32") * 3 - 1)
    xs = numpy.random.default_rng(2).standard_normal((4, 6)).astype("float32")
    ss = numpy.linspace(1, 2, 6, dtype="float32")
    joined, product, normed, power, whole = g.compile()(xs, ss)
    assert (joined == numpy.concatenate([xs[:2], xs, xs[1:4:2]])).all()
    assert numpy.allclose(product, xs.T @ xs, atol=1e-5)
    n = (xs - xs.mean(1, keepdims=True)) / numpy.sqrt(xs.var(1, keepdims=True) + 1e-5) * ss + ss
    assert numpy.allclose(normed, n / numpy.sqrt((n * n).mean(1, keepdims=True) + 1e-5) * ss, atol=1e-4)
    assert (power == numpy.where(abs(xs) > 1, numpy.inf, 0)).all()
    assert (whole == numpy.maximum(xs, 0).astype("int32") * 3 - 1).all()


def test_truth_values_are_numpys():
    g = fuse.graph.Graph("truth")
    p, q = g.input("p", "i1", (4,)), g.input("q", "i1", (4,))
    known = {"lt": numpy.less, "le": numpy.less_equal, "gt": numpy.greater, "ge": numpy.greater_equal, "eq": numpy.equal,
             "ne": numpy.not_equal, "add": numpy.add, "mul": numpy.multiply, "max": numpy.maximum, "min": numpy.minimum}
    for name in known:
        op = g.compare if len(name) == 2 else g.binary
        for left, right in ((p, q), (p, 0), (True, q)):
            g.output(op(name, left, right))
    ps, qs = numpy.array([1, 1, 0, 0], bool), numpy.array([1, 0, 1, 0], bool)
    found = iter(g.compile()(ps, qs))
    for name, function in known.items():
        for left, right in ((ps, qs), (ps, False), (True, qs)):
            assert (next(found) == function(left, right)).all(), name
    # As in NumPy, or with more than it says there.
    for name, function in (("sub", lambda: p - q), ("sub", lambda: -p), ("div", lambda: p / 1)):
        says(f"{name} is asked of tensor<4xi1>, but truth values have none", fuse.InputError, function)
    for kind in ("sum", "prod", "max", "min", "mean"):
        says(f"reduce {kind} is asked of tensor<4xi1>, but elements of i1 have none: cast them", fuse.InputError, g.reduce,
             kind, p, [0])
    says("reduce mean is asked of tensor<4xi32>, but", fuse.InputError, g.reduce, "mean", p.cast("i32"), [0])


def test_sizes_that_one_side_knows_are_those_of_both():
    rng = numpy.random.default_rng(3)
    xs, ys, scales = (rng.standard_normal(shape).astype("float32") for shape in ((2, 3), (2, 3), 3))
    keeps = numpy.array([[1, 0, 1], [1, 1, 1]], bool)
    e = numpy.where(keeps, numpy.exp(xs), 0)
    # What is written, its shape, and what it is.
    known = [(lambda g, x, y, keep, scale: x + y, (2, 3), xs + ys),
             (lambda g, x, y, keep, scale: x < y, (2, 3), xs < ys),
             (lambda g, x, y, keep, scale: g.select(keep, x, 0), (2, 3), numpy.where(keeps, xs, 0)),
             (lambda g, x, y, keep, scale: g.softmax(x, mask=keep), (2, 3), e / e.sum(1, keepdims=True)),
             (lambda g, x, y, keep, scale: g.concat([x, y + x], 1), (2, 6), numpy.concatenate([xs, xs + ys], 1)),
             (lambda g, x, y, keep, scale: g.transpose(y, [1, 0]) @ x, (None, 3), ys.T @ xs),
             (lambda g, x, y, keep, scale: g.linear(x, g.transpose(x, [1, 0]), g.reduce("sum", y, [1])), (None, 2),
              xs @ xs.T + ys.sum(1)),
             (lambda g, x, y, keep, scale: g.rms_norm(y, scale), (2, None),
              ys / numpy.sqrt((ys * ys).mean(1, keepdims=True) + 1e-5) * scales)]
    for write, shape, wanted in known:
        g = fuse.graph.Graph("sizes")
        arguments = [g.input("x", "f32", (None, 3)), g.input("y", "f32", (2, None)), g.input("keep", "i1", (2, None)),
                     g.input("scale", "f32", (None,))]
        value = write(g, *arguments)
        assert value.shape == shape, value
        g.output(value)
        for open_sizes in (False, True):
            assert numpy.allclose(g.compile(open_sizes=open_sizes)(xs, ys, keeps, scales), wanted, atol=1e-5), g.text()
    # Others are refused when they are given.
    g = fuse.graph.Graph("sizes")
    g.output(g.input("a", "f32", (None,)) + g.input("b", "f32", (2,)))
    f = g.compile(open_sizes=True)
    assert (f(scales[:2].copy(), scales[:2].copy()) == 2 * scales[:2]).all()
    says("input 0 'a' has the shape 3, but its size 0 has to be 2", fuse.InputError, f, scales, scales[:2].copy())


def test_what_cannot_be_one_shape_is_refused():
    g = fuse.graph.Graph()
    x, y, keep = g.input("x", "f32", (None, 3)), g.input("y", "f32", (2, 4)), g.input("keep", "i1", (2,))
    says("lt is asked of tensor<?x3xf32> and tensor<2x4xf32>, but needs two of one type", fuse.InputError, lambda: x < y)
    for condition in (keep, x):
        says("select is asked of tensor<2x4xf32> where", fuse.InputError, g.select, condition, y, 0)
        says("softmax is asked of tensor<2x4xf32> where", fuse.InputError, g.softmax, y, mask=condition)
    columns = [g.input(f"rows{rows}", "f32", (rows, 1)) for rows in (None, 2, 3)]
    says("concat is asked of tensor<?x1xf32> and tensor<3x1xf32>, but needs one type, and one shape but for dimension 1",
         fuse.InputError, g.concat, columns, 1)
    says("broadcast is asked for tensor<2x?x4xf32> like tensor<2x4xf32>, which do not fit", fuse.InputError, g.broadcast, y,
         [0, 2], (2, None, 4), y)
    says("which are not in order", fuse.InputError, g.broadcast, y, [1, 0], (4, 2))
    for scale in (g.input("wide", "f64", (3,)), g.input("long", "f32", (4,)), y):
        says("layer_norm is asked of tensor<?x3xf32> with the scale", fuse.InputError, g.layer_norm, x, scale)
        says("rms_norm is asked of tensor<?x3xf32> with the scale", fuse.InputError, g.rms_norm, x, scale)
    says("layer_norm is given a shift, but no scale", fuse.UsageError, g.layer_norm, x, shift=keep)
    says("rms_norm is asked of tensor<f32>, but needs a last dimension", fuse.InputError, g.rms_norm,
         g.input("scalar", "f32", ()))


def test_sums_of_products_have_types():
    g = fuse.graph.Graph()
    x, w, short = g.input("x", "f64", (2, 4)), g.input("w", "f64", (4, 3)), g.input("short", "f16", (4, 3))
    for type in ("f16", "f32"):
        says(f"linear is asked for the bias tensor<3x{type}> behind tensor<4x3xf64>, but it has a number for each column, "
             "of the type of the sums, f64", fuse.InputError, g.linear, x, w, g.input(f"bias_{type}", type, (3,)))
        says(f"matmul is asked for sums of {type}, but those of f64 are f64", fuse.InputError, g.matmul, x, w, type)
    says("linear is asked for sums of bf16, but those of f16 are f32 or f64", fuse.InputError, g.linear, short,
         g.transpose(short, [1, 0]), type="bf16")
    says("matmul is asked of tensor<2x2xi32>, but needs floats: cast it", fuse.InputError, g.matmul,
         *[g.input("i", "i32", (2, 2))] * 2)
    says("'exact' is not among ieee, tf32 and tf32x3", fuse.UsageError, g.matmul, x, w, precision="exact")
    assert g.linear(short, g.transpose(short, [1, 0]), g.input("b", "f64", (4,))).type == "f64"


def test_numbers_that_a_type_does_not_hold_are_refused():
    g = fuse.graph.Graph("numbers")
    x = {type: g.input(type, type, (2,)) for type in fuse._library.TYPE_NAMES}
    for type, number in (("i8", 128), ("i8", -129), ("i8", 255), ("i32", 1 << 31), ("i32", 1 << 32), ("i64", 1 << 63),
                         ("index", 1 << 70), ("i32", 0.5), ("i32", float("nan")), ("i32", float("inf")), ("i1", 0.5),
                         ("i1", 2), ("i1", -1)):
        says(f"{number} is no {type}, which holds the whole numbers from ", fuse.InputError, lambda: x[type] + number)
        says(f"{number} is no {type}, which holds the whole numbers from ", fuse.InputError, g.constant, number, type)
    for type, number in (("f8E4M3FN", 1000), ("f8E4M3FN", -1e9), ("f8E4M3FN", float("inf")), ("f16", 65520), ("bf16", 1e39),
                         ("f32", -1e39), ("f32", 3.4028236e38)):
        says(f"{number} is no {type}, whose largest number is ", fuse.InputError, g.constant, number, type)
    for type, number in (("f32", 10 ** 400), ("f64", -10 ** 400), ("i32", 10 ** 5000), ("f64", 10 ** 5000)):
        says(f"a int of more than 40 digits is no {type}, wh", fuse.InputError, lambda: x[type] + number)
    for number in (1j, None, "1", [1]):
        says("was given, but a number is needed", fuse.UsageError, g.constant, number, "f32")
        says("was given, but a number is needed", fuse.UsageError, g.full, number, x["f32"])
    for eps in ("a", None, -1, float("nan"), float("inf")):
        for norm in (g.layer_norm, g.rms_norm):
            says(f"for an eps of {eps!r}, but a finite number of at least 0 is needed", fuse.InputError, norm, x["f32"],
                 eps=eps)
    says("a int of more than 40 digits is no f64", fuse.InputError, g.rms_norm, x["f32"], eps=10 ** 400)


def test_numbers_that_a_type_holds_are_theirs():
    g = fuse.graph.Graph("numbers")
    given = {"i1": (0, True), "i8": (-128, 127.0), "i32": (-1 << 31, (1 << 31) - 1), "i64": (-1 << 63, (1 << 63) - 1),
             "f16": (65504, 65519, float("inf"), float("nan")), "f32": (3.4028235e38, float("-inf"), numpy.float16(0.1)),
             "f64": (1.7976931348623157e308, 5e-324, float("inf"))}
    for type, several in given.items():
        for number in several:
            g.output(g.constant(number, type, (1,)))
    g.output(g.constant(463, "f8E4M3FN", (1,)).cast("f32"))
    # What runs has an argument.
    g.output(g.input("x", "f32", (1,)))
    found = g.compile()(numpy.ones(1, "float32"))
    wanted = [numpy.array([number], {"i1": "bool", "i8": "int8", "i32": "int32", "i64": "int64", "f16": "float16",
                                     "f32": "float32", "f64": "float64"}[type])
              for type, several in given.items() for number in several]
    for is_, wants in zip(found, [*wanted, numpy.array([448], "float32")]):
        assert is_.dtype == wants.dtype and numpy.array_equal(is_, wants, equal_nan=wants.dtype.kind == "f"), (is_, wants)


def test_casts_to_integers_lose_what_is_behind_the_point():
    g = fuse.graph.Graph()
    g.output(g.input("x", "f32", (4,)).cast("i32"))
    assert (g.compile()(numpy.array([2.7, -2.7, 3.5, -0.5], "float32")) == [2, -2, 3, 0]).all()


def test_graphs_that_mean_nothing():
    g, other = fuse.graph.Graph(), fuse.graph.Graph()
    x, y = g.input("x", "f32", (4,)), g.input("y", "f32", (5,))
    says("add is asked of tensor<4xf32> and tensor<5xf32>, but needs two of one type", fuse.InputError, lambda: x + y)
    says("is no tensor of this graph", fuse.UsageError, g.output, other.input("x", "f32", (4,)))
    says("has no output", fuse.UsageError, g.text)
    says("'f31' is no type", fuse.InputError, g.input, "z", "f31", ())
    for type in ("f31", None, [], 3):
        for function in (x.cast, lambda type: g.constant(0, type), lambda type: g.op("{0}", type, (), x)):
            says(f"{type!r} is no type: there are i1", fuse.InputError, function, type)
    says("there is no cast from f32 to i1", fuse.InputError, x.cast, "i1")
    says("'<' is not among lt, le, gt, ge, eq and ne", fuse.UsageError, g.compare, "<", x, 1)
    says("None is not among add, sub, mul, div, max and min", fuse.UsageError, g.binary, None, x, 1)
    says("'bad' is not among erf and tanh", fuse.UsageError, g.gelu, x, "bad")
    says("has no truth value", fuse.UsageError, bool, x)


def test_dimensions_are_looked_at():
    g = fuse.graph.Graph()
    x, y = g.input("x", "f32", (2, 3)), g.input("y", "f32", (5, 3))
    says("softmax is asked for dimension 7 of tensor<2x3xf32>, which has 2", fuse.InputError, g.softmax, x, 7)
    says("reduce is asked for dimension 5", fuse.InputError, g.reduce, "sum", x, [5])
    says("reduce is asked for the dimensions [1, -1] of tensor<2x3xf32>, but each may be there once", fuse.InputError,
         g.reduce, "sum", x, [1, -1])
    says("'most' is not among sum, prod, max, min and mean", fuse.UsageError, g.reduce, "most", x, [0])
    says("transpose is asked for dimension 5", fuse.InputError, g.transpose, x, [0, 5])
    says("transpose is asked for the dimensions [0] of tensor<2x3xf32>, but all are needed", fuse.InputError,
         g.transpose, x, [0])
    says("slice is asked for 0:9 of a dimension of 2, which ends before", fuse.InputError, g.slice, x, slice(0, 9))
    says("slice is given 3 ranges", fuse.InputError, g.slice, x, None, None, None)
    for part in (0, 1, False, "a", (0, 1), slice(0.0, 1.0), slice(False, True), slice(0, 2, 1.5), slice("a")):
        says(f"slice is given {part!r}, but needs Python's slices of whole numbers, or None", fuse.UsageError, g.slice, x,
             part)
    for part in (slice(0, 2, 0), slice(-3, 2), slice(2, 1), slice(0, -3), slice(0, 2, -1), slice(0, 2, 1 << 63)):
        says(f"{part} is no range of a dimension of 2", fuse.InputError, g.slice, x, part)
    rows = g.input("rows", "f32", (None,))
    for part in (slice(0, 1 << 63), slice(1 << 63, None), slice(-1, None), slice(0, -1), slice(None, None, -1)):
        says(f"{part} is no range of a dimension of open size", fuse.InputError, g.slice, rows, part)
    assert g.slice(x, slice(numpy.int64(1), None), slice(0, 0)).shape == (1, 0)
    assert g.slice(x, slice(-1, None), slice(0, -1)).shape == (1, x.shape[1] - 1)
    assert g.slice(rows, slice(1, None)).shape == g.slice(rows, slice(None, None, 2)).shape == (None,)
    says("reduce is asked for the dimensions [1, 1] of", fuse.InputError, g.reduce, "sum", x, (dim for dim in (1, 1)))
    for dims in (1, None):
        says(f"for the dimensions {dims}, but a list of whole numbers is needed", fuse.UsageError, g.reduce, "sum", x, dims)
        says(f"for the dimensions {dims}, but a list of whole numbers is needed", fuse.UsageError, g.transpose, x, dims)
        says(f"for the dimensions {dims}, but a list of whole numbers is needed", fuse.UsageError, g.broadcast, x, dims,
             (2, 3))
    says("reduce is asked for dimension True, but a whole number is needed", fuse.UsageError, g.reduce, "sum", x, [True])
    assert g.concat((value for value in (x, y)), 0).shape == (7, 3)
    says("concat needs tensors, but <%arg0: tensor<2x3xf32>> was given", fuse.UsageError, g.concat, x, 0)
    says("concat needs tensors", fuse.UsageError, g.concat, [], 0)
    says("concat is asked for dimension 2", fuse.InputError, g.concat, [x, y], 2)
    says("concat is asked of tensor<2x3xf32> and tensor<5x3xf32>, but needs one type, and one shape but for dimension 1",
         fuse.InputError, g.concat, [x, y], 1)
    says("which do not fit: the columns of the left one", fuse.InputError, lambda: x @ y)
    says("which do not fit: both have one type", fuse.InputError, g.linear, x, y)
    says("linear is asked for the bias tensor<2x3xf32>", fuse.InputError, g.linear, y, g.transpose(y, [1, 0]), x)
    says("broadcast is asked for dimension 2", fuse.InputError, g.broadcast, x, [0, 2], (2, 3))
    says("broadcast is asked of tensor<2x3xf32> to the dimensions [0, 1] of tensor<3x3xf32>, which do not fit",
         fuse.InputError, g.broadcast, x, [0, 1], (3, 3))
    for size in (-1, 1 << 63, 1 << 64):
        for function in (lambda *given: g.input("z", *given), lambda *given: g.constant(0, *given),
                         lambda *given: g.op("fuse.iota dim 0 : {result}", *given)):
            says(f"the shape is ({size},), but no size is less than 0, nor 2^63 or more", fuse.InputError, function, "f32",
                 (size,))
    for shape in (3, None, "a", (1.5,), (True,)):
        says("but whole numbers are needed, and None for what is open", fuse.UsageError, g.op, "fuse.iota", "f32", shape)
        says("but whole numbers are needed, and None for what is open", fuse.UsageError, g.input, "z", "f32", shape)
    says("add is asked of a str, but needs a tensor of a graph or a number", fuse.UsageError, lambda: x + "y")
    says("the op is None, but its text is needed", fuse.UsageError, g.op, None, "f32", (3,))
    for name in ("a b", "1a", "", "a\n"):
        says("is no name for a graph", fuse.InputError, fuse.graph.Graph, name)
    # The compiler's rule.
    for name in ("a\n", "a-b", "1", "1a", ".", "a.b", "$", "", "\u00e4", 3):
        says(f"{name!r} is no name for an argument: letters, digits and '_' are, with no digit in front", fuse.InputError,
             g.input, name, "f32", ())
        says(f"{name!r} is no name for a result: letters, digits and '_' are", fuse.InputError, g.output, x, name)
    says("has an argument 'x' already", fuse.InputError, g.input, "x", "f32", ())
    g.output(x, "z")
    says("has a result 'z' already", fuse.InputError, g.output, y, "z")


def test_functions_are_of_floats():
    g = fuse.graph.Graph()
    inputs = {type: g.input(type, type, (2, 3)) for type in ("i1", "i32", "index", "f8E4M3FN", "bf16")}
    functions = [g.exp, g.log, g.tanh, g.sqrt, g.rsqrt, g.erf]
    composites = [g.relu, g.sigmoid, g.silu, g.gelu, g.softmax, g.layer_norm, g.rms_norm]
    for type in ("i1", "i32", "index"):
        for function in functions:
            says(f"{function.__name__} is asked of tensor<2x3x{type}>, but needs elements of f8E4M3FN, bf16, f16, f32 or "
                 "f64: cast it", fuse.InputError, function, inputs[type])
    for type in ("i1", "i32", "index", "f8E4M3FN"):
        for composite in composites:
            says(f"{composite.__name__} is asked of tensor<2x3x{type}>, but needs elements of bf16, f16, f32 or f64: "
                 "cast it", fuse.InputError, composite, inputs[type])
    for function in functions:
        g.output(function(inputs["f8E4M3FN"]))
    for function in functions + composites:
        g.output(function(inputs["bf16"]))
    g.compile().image([(2, 3)] * len(inputs))


def test_slices_of_open_dimensions():
    g = fuse.graph.Graph()
    x = g.input("x", "f32", (None, 3))
    g.output(g.slice(x, slice(1, None), slice(None, -1)))
    g.output(g.slice(x, slice(1, None, 2)))
    layer = g.compile()
    for rows in (6, 1, 4):
        xs = numpy.random.rand(rows, 3).astype("float32")
        behind, odd = layer(xs)
        assert (behind == xs[1:, :-1]).all() and (odd == xs[1::2]).all()


def test_dimensions_may_be_counted_from_the_end():
    g = fuse.graph.Graph()
    x = g.input("x", "f32", (2, 3))
    for value in (g.reduce("sum", x, [-2]), g.transpose(x, [-1, 0]), g.concat([x, x], -1), g.softmax(x, -2), x == 1, x != 1):
        g.output(value)
    assert {x: 1}[x] == 1
    xs = numpy.arange(6, dtype="float32").reshape(2, 3)
    rows, turned, joined, _, same, other = g.compile()(xs)
    assert (rows == xs.sum(0)).all() and (turned == xs.T).all() and (joined == numpy.concatenate([xs, xs], 1)).all()
    assert (same == (xs == 1)).all() and (other == (xs != 1)).all()


def test_names_need_not_be_utf8():
    own = fuse.compile("""
func.func @"f\\FFg"(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
""")
    ones = numpy.ones(4, "float32")
    assert (own(ones) == 2).all()
    image = own.image([(4,)])
    assert image.name == "f\ufffdg"
    image.write("named.fuse")
    assert (fuse.load("named.fuse")(ones) == 2).all()


if __name__ == "__main__":
    sys.exit(run(globals()))
