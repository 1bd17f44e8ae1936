"""What a program of somebody else may write, and what it is told of: `type: ignore` has to be needed where it stands."""

import pathlib
from typing import Any, List, Optional, Tuple

import fuse
import fuse.graph


def use(path: pathlib.Path, x: Any) -> List[str]:
    layer: fuse.Function = fuse.compile(path, chip=["sm_90a", "cpu"], schedules={"layer": "tile = [64]"}, open_sizes=True)
    image: fuse.Image = layer.image([(8, 64), [64, 32], 3], "cpu")
    shape: Tuple[Optional[int], ...] = image.outputs[0].shape
    image.output_shapes([shape])
    with image:
        image.write(path.with_suffix(".fuse"))
    y = fuse.load(image.to_bytes())(x, out=x, stream=None)
    program: fuse.Program = layer.program([(8, 64)], "cuda", 1)
    results: List[Any] = program.run([x, y], scalars=[1])
    fuse.compile(3)  # type: ignore[arg-type]
    layer.image([("a",)])  # type: ignore[list-item]
    image.inputs[0].colour  # type: ignore[attr-defined]
    try:
        layer(*results)
    except (fuse.InputError, fuse.UsageError) as error:
        return [str(error), *image.diagnostics]
    return [image.name, image.describe(), fuse.__version__]


def write() -> fuse.Function:
    g = fuse.graph.Graph("layer")
    x, w = g.input("x", "f32", (None, 64)), g.input("w", "f32", (64, 32))
    y: fuse.graph.Value = 2 * g.relu(x @ w) + 1
    size: Optional[int] = y.shape[0]
    g.output(g.select(y > 0, y, -y).cast("f16"), "y")
    g.output(x, 3)  # type: ignore[arg-type]
    g.relu(size)  # type: ignore[arg-type]
    return g.compile(open_sizes=True)
