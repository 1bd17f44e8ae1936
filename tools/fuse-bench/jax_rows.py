#!/usr/bin/env python3
"""What JAX takes for the same workloads, compiled by XLA.

fuse-bench starts it and writes requests to it, as to peers.py. It needs JAX and nothing else.

    jax_rows.py cuda|cpu     where it runs

JAX has no way to replay graphs, and to call it takes longer than many a workload. So one compiled function computes the
workload on as many sets of arguments as there are, one after the other, and is timed by the clock of the host over many
calls that nobody waits for in between.
"""

import gc
import json
import math
import os
import statistics
import sys
import time

import attention as graphs

DEVICE = sys.argv[1] if len(sys.argv) > 1 else "cuda"
if DEVICE == "cpu":
    # On a machine that has a GPU, too.
    os.environ["JAX_PLATFORMS"] = "cpu"
# The memory is others', too.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    print(json.dumps({"error": f"{sys.executable} has no JAX: {type(error).__name__}: {error}"}), flush=True)
    sys.exit(1)

L2_BYTES = 50 << 20
L2_MULTIPLE = 4
# Each is compiled.
MOST_SETS = 32
SAMPLES = 15
SAMPLE_SECONDS = 20e-3
REST_SECONDS = 0.05
TYPES = {"f32": "float32", "tf32": "float32", "tf32x3": "float32", "f16": "float16", "bf16": "bfloat16",
         "f8": "float8_e4m3fn"}


class Numbers:
    """Random arrays; no two are alike."""

    def __init__(self):
        self.key = jax.random.PRNGKey(0)

    def __call__(self, *shape, element="float32", scale=1.0):
        self.key, key = jax.random.split(self.key)
        return (jax.random.normal(key, shape, jnp.float32) * scale).astype(element)

    def weight(self, k, n, element):
        return self(k, n, element=element, scale=k ** -0.5)

    def integers(self, *shape, most):
        self.key, key = jax.random.split(self.key)
        return jax.random.randint(key, shape, 0, most)


def dot(x, w):
    """Sums in f32, rounded to the type of the rows."""
    return jnp.matmul(x, w, preferred_element_type=jnp.float32).astype(x.dtype)


def keep(tokens, padding):
    i, j = jnp.arange(tokens)[:, None], jnp.arange(tokens)[None, :]
    return (j <= i) & (j >= padding) & (i >= padding)


def masked(x, kept):
    powers = jnp.where(kept, jnp.exp(x - jnp.where(kept, x, -1e30).max(-1, keepdims=True)), 0)
    return powers / jnp.maximum(powers.sum(-1, keepdims=True), 1e-30)


def norm(x, g, s):
    wide = x.astype(jnp.float32)
    centred = wide - wide.mean(-1, keepdims=True)
    scaled = centred * jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)
    return (scaled * g.astype(jnp.float32) + s.astype(jnp.float32)).astype(x.dtype)


# Of each kind: what makes a set of arguments, and the ways to compute it, of which the fastest counts.

def pointwise(p, element, new):
    m, n = p["M"], p["N"]
    calls = {"relu": lambda x, b: jax.nn.relu(x + b), "lora_relu": lambda x, y, b: jax.nn.relu(x + 0.5 * y + b),
             "lora_sigmoid": lambda x, y, b: jax.nn.sigmoid(x + 0.5 * y + b)}
    count = 1 if p["function"] == "relu" else 2
    return lambda: (*(new(m, n) for _ in range(count)), new(n)), [calls[p["function"]]]


def softmax(p, element, new):
    return (lambda: (new(p["M"], p["N"], element=element),),
            [lambda x: jax.nn.softmax(x.astype(jnp.float32)).astype(x.dtype)])


def layer_norm(p, element, new):
    n = p["N"]
    return lambda: (new(p["M"], n, element=element), new(n, element=element), new(n, element=element)), [norm]


def masked_softmax(p, element, new):
    return lambda: (new(p["N"], p["N"]),), [lambda x: masked(x, keep(p["N"], 5))]


def scores(p, element, new):
    return (lambda: (new(p["S"], p["S"]), new(p["S"], p["D"])), [lambda x, v: dot(masked(x, keep(p["S"], 5)), v)])


def linear(p, element, new):
    m, n, k = p["M"], p["N"], p["K"]
    act = (lambda z: jax.nn.gelu(z, approximate=True)) if p.get("activation") == "gelu" else jax.nn.relu
    return (lambda: (new(m, k, element=element), new.weight(k, n, element), new(n, element=element)),
            [lambda x, w, b: act(dot(x, w) + b)])


def linear_f8(p, element, new):
    m, n, k = p["M"], p["N"], p["K"]

    def call(x, w, b):
        # Both along K, as the library wants them.
        y = jax.lax.dot_general(x, w, (((1,), (1,)), ((), ())), preferred_element_type=jnp.float32)
        return jax.nn.relu((y * k ** -0.5).astype(jnp.bfloat16) + b)

    # With Triton's kernels among which to choose XLA 0.11 searches for minutes, and without a search they take 5 ms.
    call.options = {"xla_gpu_enable_triton_gemm": False}
    return lambda: (new(m, k, element=element), new(n, k, element=element), new(n, element="bfloat16")), [call]


def norm_linear(p, element, new):
    m, n, k = p["M"], p["N"], p["K"]
    return (lambda: (new(m, k, element=element), new(k, element=element), new(k, element=element),
                     new.weight(k, n, element), new(n, element=element)),
            [lambda x, g, s, w, b: jax.nn.gelu(dot(norm(x, g, s), w) + b, approximate=True)])


def gate(p, element, new):
    m, n, k = p["M"], p["N"], p["K"]

    def call(x, w):
        left, right = jnp.split(dot(x, w), 2, -1)
        return jax.nn.sigmoid(left) * jnp.tanh(right)

    return lambda: (new(m, k, element=element), new.weight(k, 2 * n, element)), [call]


def geglu(p, element, new):
    m, n, k = p["M"], p["N"], p["K"]

    def call(x, w, b):
        left, right = jnp.split(dot(x, w) + b, 2, -1)
        return left * jax.nn.gelu(right, approximate=False)

    return (lambda: (new(m, k, element=element), new.weight(k, 2 * n, element), new(2 * n, element=element)), [call])


def lora(p, element, new):
    m, n, k = p["M"], p["N"], p["K"]
    return (lambda: (new(m, k, element=element), new.weight(k, n, element), new.weight(k, 16, element),
                     new.weight(16, n, element), new(n, element=element)),
            [lambda x, w, d, u, b: jax.nn.relu(dot(x, w) + b + 0.5 * dot(dot(x, d), u))])


def mlp(p, element, new):
    widths = p["widths"]

    def make():
        layers = [each for k, n in zip(widths, widths[1:]) for each in (new.weight(k, n, element), new(n, element=element))]
        return (new(p["batch"], widths[0], element=element), *layers)

    def call(x, *layers):
        for i in range(0, len(layers), 2):
            x = dot(x, layers[i]) + layers[i + 1]
            x = jax.nn.relu(x) if i < len(layers) - 2 else x
        return jax.nn.sigmoid(x) if p["last"] == "sigmoid" else x

    return make, [call]


def two_layers(p, element, new):
    return (lambda: (new(p["M"], p["K"], element=element), new.weight(p["K"], p["H"], element),
                     new.weight(p["H"], p["N"], element)),
            [lambda x, a, b: dot(jax.nn.relu(dot(x, a)), b)])


def dlrm(p, element, new):
    batch, count, width, tables = p["batch"], 100000, 16, 26
    bottom_make, (bottom,) = mlp({"batch": batch, "widths": [13, 512, 256, 64, 16], "last": "none"}, element, new)
    # All sets share the tables, which take more than the cache anyway.
    shared = new(tables, count, width, scale=0.5)
    features = width * (tables + 1)
    top = new(features * features, 16, scale=4 / features), new(16), new.weight(16, 1, "float32"), new(1)

    def call(ids, x, *layers):
        gathered = shared[jnp.arange(tables)[None, :], (ids + 1) % count].reshape(batch, tables * width)
        c = jnp.concatenate([bottom(x, *layers), gathered], 1)
        outer = (c[:, :, None] * c[:, None, :]).reshape(batch, -1)
        return jax.nn.sigmoid(dot(jax.nn.relu(dot(outer, top[0]) + top[1]), top[2]) + top[3])

    return lambda: (new.integers(batch, tables, most=1 << 30), *bottom_make()), [call]


def attend(causal, implementation, window=None):
    return lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=causal, implementation=implementation,
                                                        local_window_size=window and (window - 1, 0))


def attention(p, element, new):
    batch, heads, shared, queries, keys, features = (p[name] for name in ("B", "H", "KV", "S", "T", "D"))

    def make():
        # In the order that JAX has them.
        return (new(batch, queries, heads, features, element=element),
                *(new(batch, keys, shared, features, element=element) for _ in range(2)))

    if graphs.is_plain(p) or p["mask"] == "window":
        return make, [attend(p["mask"] != "none", name, p.get("window"))
                      for name in (("xla",) if element == "float32" else ("cudnn", "xla"))]
    paddings = [0] if p["mask"] != "padded" else [5] if batch == 1 else [(i * 173) % 512 for i in range(batch)]
    kept = jnp.stack([keep(queries, padding) for padding in paddings])[:, None]
    if p["mask"] == "segment":
        segments = new.integers(batch, 1, queries, most=4)
        kept &= segments[..., None] == segments[..., None, :]
    slopes = new(heads, 1, 1)

    def call(q, k, v):
        x = jnp.einsum("bqhd,bkhd->bhqk", q, k, preferred_element_type=jnp.float32) * features ** -0.5
        if p.get("cap"):
            x = p["cap"] * jnp.tanh(x / p["cap"])
        if p.get("bias"):
            x += slopes * (jnp.arange(keys) - jnp.arange(queries)[:, None])
        return jnp.einsum("bhqk,bkhd->bqhd", masked(x, kept).astype(v.dtype), v)

    return make, [call]


def two_scores(p, element, new):
    def call(q1, k1, q2, k2, v):
        one, other = (jnp.einsum("bhqd,bhkd->bhqk", q, k, preferred_element_type=jnp.float32) * p["D"] ** -0.5
                      for q, k in ((q1, k1), (q2, k2)))
        return dot(jax.nn.softmax(jax.nn.sigmoid(one) * other).astype(v.dtype), v)

    return lambda: tuple(new(p["B"], p["H"], p["S"], p["D"], element=element) for _ in range(5)), [call]


def project(p, element, new):
    m, k, h, n = (p[name] for name in ("M", "K", "H", "N"))

    def call(x, w, v, last):
        scores = jnp.matmul(x, w, preferred_element_type=jnp.float32)
        return x + dot(dot(jax.nn.softmax(scores).astype(x.dtype), v), last)

    return (lambda: (new(m, k, element=element), new.weight(k, h, element), new(h, n, element=element),
                     new.weight(n, k, element)), [call])


def norm_mlp(p, element, new):
    m, k, h = (p[name] for name in ("M", "K", "H"))
    return (lambda: (new(m, k, element=element), new(k, element=element), new(k, element=element),
                     new.weight(k, h, element), new.weight(h, k, element)),
            [lambda x, g, s, up, down: dot(jax.nn.gelu(dot(norm(x, g, s), up), approximate=True), down)])


def gpt2(p, element, new):
    batch, tokens, width, heads = p["batch"], p["tokens"], p["width"], p["heads"]
    sizes = [(width, 3 * width), (width, width), (width, 4 * width), (4 * width, width)]

    def make():
        layers = [each for k, n in sizes for each in (new.weight(k, n, element), new(n, element=element))]
        return (new(batch * tokens, width, element=element), *(new(width, element=element) for _ in range(4)), *layers)

    def block(implementation):
        def call(x, g1, s1, g2, s2, wqkv, bqkv, wo, bo, w1, b1, w2, b2):
            qkv = dot(norm(x, g1, s1), wqkv) + bqkv
            q, k, v = (part.reshape(batch, tokens, heads, width // heads) for part in jnp.split(qkv, 3, -1))
            o = attend(True, implementation)(q, k, v).reshape(batch * tokens, width)
            h = x + dot(o, wo) + bo
            return h + dot(jax.nn.gelu(dot(norm(h, g2, s2), w1) + b1, approximate=True), w2) + b2
        return call

    return make, [block("cudnn"), block("xla")]


KINDS = {function.__name__: function for function in (
    pointwise, softmax, layer_norm, masked_softmax, scores, linear, linear_f8, norm_linear, gate, geglu, lora, mlp,
    two_layers, dlrm, attention, two_scores, project, norm_mlp, gpt2)}


def one_after_the_other(call):
    """The workload on all sets, of which none starts before the one before has ended."""
    def run(sets):
        results = []
        for arguments in sets:
            if results:
                arguments, results[-1] = jax.lax.optimization_barrier((arguments, results[-1]))
            results.append(call(*arguments))
        return results
    return run


def time_call(call, sets, state):
    compiled = jax.jit(one_after_the_other(call)).lower(sets).compile(compiler_options=getattr(call, "options", None))
    jax.block_until_ready(compiled(sets))
    start = time.perf_counter()
    jax.block_until_ready(compiled(sets))
    count = min(max(math.ceil(SAMPLE_SECONDS / (time.perf_counter() - start)), 1), 1000)
    samples = []
    for _ in range(SAMPLES):
        if state == "burst":
            time.sleep(REST_SECONDS)
        start = time.perf_counter()
        for _ in range(count):
            result = compiled(sets)
        jax.block_until_ready(result)
        samples.append((time.perf_counter() - start) / count)
    return statistics.median(samples) * 1e6 / len(sets)


def microseconds(kind, parameters, element, state, is_hot):
    """Of the fastest way."""
    precision = {"tf32": "tensorfloat32"}.get(parameters.get("precision"), "highest" if element == "f32" else "default")
    with jax.default_matmul_precision(precision):
        make, calls = KINDS[kind](parameters, TYPES[element], Numbers())
        first = make()
        size = sum(each.nbytes for each in first)
        count = 1 if is_hot or DEVICE == "cpu" else int(min(max(-(-L2_MULTIPLE * L2_BYTES // max(size, 1)), 1), MOST_SETS))
        sets = [first] + [make() for _ in range(count - 1)]
        best, problem = None, None
        for call in calls:
            try:
                took = time_call(call, sets, state)
                best = took if best is None else min(best, took)
            except Exception as error:
                problem = error
        if best is None:
            raise problem
    return best


def time_all(request):
    """Microseconds by state, or what went wrong."""
    answer, errors = {}, {}
    for state in request["states"]:
        try:
            took = microseconds(request["kind"], request["parameters"], request["element"], state,
                                request.get("cache") == "hot")
        except Exception as error:
            errors["jax"] = f"{type(error).__name__}: {error}".split("\n")[0][:200]
            break
        answer[state] = {"peers": {"jax": took}}
    return {"states": answer, "errors": errors}


def main():
    # What libraries print does not belong between the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    try:
        device = jax.devices()[0]
    except RuntimeError as error:
        problem = str(error).split("\n")[0]
    else:
        problem = None
        if DEVICE == "cuda" and device.platform != "gpu":
            problem = f"JAX sees no GPU, but a {device.platform}"
    if problem:
        print(json.dumps({"error": problem}), file=answers, flush=True)
        return 1
    print(json.dumps({"jax": jax.__version__, "device": device.device_kind}), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(time_all(json.loads(line))), file=answers, flush=True)
        gc.collect()
    return 0


if __name__ == "__main__":
    sys.exit(main())
