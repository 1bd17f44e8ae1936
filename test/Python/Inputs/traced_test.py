"""Ops that PyTorch traces with sizes that it does not know, on a machine without a GPU: nothing is run. Each function that
starts with test_ is one."""

import sys

import torch

import fuse
import fuse.torch
from checks import run, says

JOIN = """
func.func @join(%a: tensor<2x4xf32>, %b: tensor<?x4xf32>, %c: tensor<?x4xf32>) -> (tensor<?x4xbf16>, tensor<?xf32>) {
  %0 = fuse.concat %a, %b dim 0 : tensor<2x4xf32>, tensor<?x4xf32>
  %1 = arith.addf %0, %c : tensor<?x4xf32>
  %2 = arith.truncf %1 : tensor<?x4xf32> to tensor<?x4xbf16>
  %3 = fuse.reduce sum %b dims [1] : tensor<?x4xf32>
  return %2, %3 : tensor<?x4xbf16>, tensor<?xf32>
}
"""


def trace(function, name, **sizes):
    """The program of a module that calls it, and the shapes of its results."""
    op = fuse.torch.op(f"traced::{name}", function)

    class Layer(torch.nn.Module):
        def forward(self, a, b, c):
            first, second = op(a, b, c)
            return first * 2, second + 1

    arguments = torch.ones(2, 4), torch.ones(5, 4), torch.ones(7, 4)
    program = torch.export.export(Layer(), arguments, dynamic_shapes=sizes or None)
    return program, [node.meta["val"] for node in program.graph.find_nodes(op="output")[0].args[0]]


def test_open_sizes_stay_open():
    # What is loaded has open sizes on whatever device it is traced.
    image = fuse.compile(JOIN, open_sizes=True, chip="sm_90a").image([(2, 4), (5, 4), (7, 4)], "cuda")
    rows = torch.export.Dim("rows", min=2, max=4096)
    first, second = trace(fuse.load(image), "open", a=None, b={0: rows}, c={0: rows + 2})[1]
    assert first.dtype == torch.bfloat16 and second.dtype == torch.float32
    size = second.shape[0]
    assert isinstance(size, torch.SymInt) and first.shape[1] == 4
    assert str(first.shape[0]) in (f"{size} + 2", f"2 + {size}"), first.shape


def test_known_sizes_are_known():
    first, second = trace(fuse.compile(JOIN), "known")[1]
    assert tuple(first.shape) == (7, 4) and tuple(second.shape) == (5,)


def test_gpus_that_are_not_there_are_traced():
    from torch._dynamo.source import ConstantSource
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv
    function = fuse.compile(JOIN, open_sizes=True)
    op = fuse.torch.op("traced::fake", function)
    env = ShapeEnv()
    rows = env.create_unspecified_symint_and_symbol(5, ConstantSource("rows"), DimDynamic.DYNAMIC)
    with FakeTensorMode(shape_env=env):
        made = [torch.empty(size, 4, device="cuda") for size in (2, rows, rows + 2)]
        first, second = op(*made)
        assert first.device.type == "cuda" and first.shape[0].node.expr == (rows + 2).node.expr
        assert second.shape[0].node.expr == rows.node.expr
        assert not env.replacements and not any("Eq" in str(guard.expr) for guard in env.guards), env.guards
        # Others are traced with the image that there is.
        first, second = op(made[0], torch.empty(9, 4, device="cuda"), torch.empty(11, 4, device="cuda"))
        assert (first.shape, second.shape) == ((11, 4), (9,))
        assert len(function._images) == 1
        # What only data decide has no size to expect.
        twice = fuse.torch.op("traced::twice", fuse.compile("""func.func @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
          %0 = arith.addf %x, %x : tensor<?xf32>
          return %0 : tensor<?xf32>
        }""", open_sizes=True))
        count = env.create_unbacked_symint()
        torch._check(count >= 0)
        assert twice(torch.empty(count, device="cuda")).shape[0].node.expr == count.node.expr


def test_what_has_no_memory_is_named():
    from torch._subclasses.fake_tensor import FakeTensorMode
    twice = fuse.compile("""func.func @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = arith.addf %x, %x : tensor<?xf32>
      return %0 : tensor<?xf32>
    }""")
    says("argument 0 has no memory: ", fuse.InputError, torch.vmap(twice), torch.ones(3, 4))
    with FakeTensorMode():
        says("argument 0 has no memory: ", fuse.InputError, twice, torch.empty(4))
    freed = torch.ones(4)
    freed.untyped_storage().resize_(0)
    says("argument 0 has no memory: its address is NULL", fuse.InputError, twice, freed)
    says("argument 0 is on meta, but fuse runs on a processor", fuse.InputError, twice, torch.empty(4, device="meta"))


def test_processors_run_ops():
    twice = fuse.compile("""func.func @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = arith.addf %x, %x : tensor<?xf32>
      return %0 : tensor<?xf32>
    }""", open_sizes=True)
    op = fuse.torch.op("traced::run", twice)
    graphs = []

    def backend(graph, _):
        graphs.append(graph)
        return graph.forward

    layer = torch.compile(lambda x: op(x * 1) + 1, backend=backend, fullgraph=True, dynamic=True)
    for size in (5, 7, 4099):
        x = torch.randn(size)
        assert torch.equal(layer(x), 2 * x + 1)
    assert len(graphs) == len(twice._images) == 1
    torch.library.opcheck(torch.ops.traced.run.default, ([torch.ones(8)],))


if __name__ == "__main__":
    sys.exit(run(globals()))
