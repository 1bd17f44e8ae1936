"""Graphs of many kinds and sizes that no goal names: what fuse-survey times, to find what is slow for no good reason.

Each has a name, a function that writes it, what PyTorch does instead, op by op, and how many operations products have.
"""

KNOWN = {}


class Surveyed:
    def __init__(self, write, peer, flops, rate):
        self.write, self.peer, self.flops, self.rate = write, peer, flops, rate


def add(name, write, peer, flops=0, rate="f32"):
    KNOWN[name] = Surveyed(write, peer, flops, rate)


def volume(shape):
    size = 1
    for extent in shape:
        size *= extent
    return size


def joined(sizes):
    return "x".join(map(str, sizes))


def wide(value):
    """What sums and functions are computed in."""
    return value if value.type == "f32" else value.cast("f32")


def narrow(value, element):
    return value if element == value.type else value.cast(element)


def rows(g, vector, like):
    """A vector for each row of a tensor."""
    return g.broadcast(vector, [len(like.shape) - 1], like=like)


def both(adder, cases):
    """Of f32 and of bf16."""
    for case in cases:
        adder(*case, "f32")
        adder(*case, "bf16")


# Products.


def linear(m, k, n, element, function, layout="kn", precision=None, residual=False):
    def write(g):
        x, w = g.input("x", element, (m, k)), g.input("w", element, (k, n) if layout == "kn" else (n, k))
        b, r = g.input("b", "f32", (n,)), g.input("r", element, (m, n)) if residual else None
        y = g.matmul(x, w if layout == "kn" else g.transpose(w, [1, 0]), "f32", precision)
        y = y + rows(g, b, y)
        y = y if function == "none" else getattr(g, function)(y)
        g.output(narrow(y + wide(r) if residual else y, element))

    peer = f"F.linear(x, {'w.T' if layout == 'kn' else 'w'}, b.to(x.dtype))"
    peer = peer if function == "none" else f"F.{function}({peer})"
    add(f"linear_{precision or element}_{m}x{k}x{n}_{function}_{layout}" + "_residual" * residual, write,
        peer + " + r" * residual, 2 * m * n * k, precision or element)


def batched(batch, m, k, n, element, layout):
    def write(g):
        x, w = g.input("x", element, (batch, m, k)), g.input("w", element, (batch, n, k) if layout == "nk" else (batch, k, n))
        g.output(narrow(g.matmul(x, g.transpose(w, [0, 2, 1]) if layout == "nk" else w), element))

    add(f"batched_{element}_{batch}x{m}x{k}x{n}_{layout}", write,
        f"torch.bmm(x, w{'.transpose(1, 2)' if layout == 'nk' else ''})", 2 * batch * m * n * k, element)


def gate(m, k, n):
    def write(g):
        x, w, u = g.input("x", "bf16", (m, k)), g.input("w", "bf16", (k, n)), g.input("u", "bf16", (k, n))
        g.output((g.silu(g.matmul(x, w)) * g.matmul(x, u)).cast("bf16"))

    add(f"gate_{m}x{k}x{n}", write, "F.silu(x @ w) * (x @ u)", 4 * m * n * k, "bf16")


def quantized(m, k, n):
    """Weights of 8 bits, and a scale for each column."""
    def write(g):
        x, w = g.input("x", "bf16", (m, k)), g.input("w", "i8", (k, n))
        s = g.input("s", "f32", (n,))
        y = g.matmul(x, w.cast("bf16"))
        g.output((y * rows(g, s, y)).cast("bf16"))

    add(f"quantized_{m}x{k}x{n}", write, "(x @ w.to(x.dtype)) * s.to(x.dtype)", 2 * m * n * k, "bf16")


def norm_linear(m, k, n):
    def write(g):
        x, s, w = g.input("x", "bf16", (m, k)), g.input("s", "f32", (k,)), g.input("w", "bf16", (k, n))
        g.output(g.matmul(g.rms_norm(x.cast("f32"), s).cast("bf16"), w).cast("bf16"))

    add(f"norm_linear_{m}x{k}x{n}", write, "F.rms_norm(x, x.shape[1:], s.to(x.dtype)) @ w", 2 * m * n * k, "bf16")


def two_layers(m, k, h, n, residual=True):
    def write(g):
        x, w, b = g.input("x", "bf16", (m, k)), g.input("w", "bf16", (k, h)), g.input("b", "f32", (h,))
        v, c = g.input("v", "bf16", (h, n)), g.input("c", "f32", (n,))
        y = g.matmul(x, w)
        z = g.matmul(g.gelu(y + rows(g, b, y)).cast("bf16"), v)
        z = z + rows(g, c, z)
        g.output((z + x.cast("f32") if residual else z).cast("bf16"))

    add(f"two_layers_{m}x{k}x{h}x{n}", write,
        "F.linear(F.gelu(F.linear(x, w.T, b.to(x.dtype))), v.T, c.to(x.dtype))" + " + x" * residual, 2 * m * h * (k + n), "bf16")


def low_rank(m, k, n, rank):
    def write(g):
        x, w = g.input("x", "bf16", (m, k)), g.input("w", "bf16", (k, n))
        u, v = g.input("u", "bf16", (k, rank)), g.input("v", "bf16", (rank, n))
        g.output((g.matmul(x, w) + 0.5 * g.matmul(g.matmul(x, u).cast("bf16"), v)).cast("bf16"))

    add(f"low_rank_{m}x{k}x{n}_{rank}", write, "x @ w + 0.5 * ((x @ u) @ v)", 2 * m * (k * n + rank * (k + n)), "bf16")


def distance(m, n, k, element):
    """To the nearest of `n` points."""
    def write(g):
        x, y = g.input("x", element, (m, k)), g.input("y", element, (n, k))
        p = g.matmul(x, g.transpose(y, [1, 0]), "f32")
        xx, yy = g.reduce("sum", wide(x) * wide(x), [1]), g.reduce("sum", wide(y) * wide(y), [1])
        g.output(g.reduce("min", g.broadcast(xx, [0], like=p) + g.broadcast(yy, [1], like=p) - 2.0 * p, [1]))

    add(f"distance_{element}_{m}x{n}x{k}", write, "((x * x).sum(1)[:, None] + (y * y).sum(1) - 2 * (x @ y.T)).amin(1)",
        2 * m * n * k, element)


def scored(m, k, n, kind):
    """A product, and a softmax of its rows or the logarithm of their sums."""
    def write(g):
        x, w = g.input("x", "bf16", (m, k)), g.input("w", "bf16", (n, k))
        z = g.matmul(x, g.transpose(w, [1, 0]))
        if kind == "softmax":
            return g.output(g.softmax(z, 1).cast("bf16"))
        most = g.reduce("max", z, [1])
        return g.output(g.log(g.reduce("sum", g.exp(z - g.broadcast(most, [0], like=z)), [1])) + most)

    add(f"linear_{kind}_{m}x{k}x{n}", write, f"torch.{kind}((x @ w.T).float(), 1)", 2 * m * n * k, "bf16")


# Attention with what models put around it.


def heads_of(g, x, number):
    """Rows of all heads side by side as one matrix for each head."""
    rows_, width = x.shape
    split = g.op(f"fuse.expand {{0}} dim 1 into [{number}, {width // number}] : {{0.tensor}}", x.type,
                 (rows_, number, width // number), x)
    return g.transpose(split, [1, 0, 2])


def rotated(g, x, cosine, sine):
    """Each half of a row is turned by what the other one is."""
    heads, length, width = x.shape
    half = width // 2
    low, high = (wide(g.slice(x, None, None, part)) for part in (slice(0, half), slice(half, width)))
    c, s = (g.broadcast(each, [1, 2], like=low) for each in (cosine, sine))
    return g.concat([low * c - high * s, high * c + low * s], 2).cast(x.type)


def grouped_attention(g, q, k, v, groups):
    """Causal; each head of keys and values is of as many heads of queries."""
    heads, length, width = q.shape
    shape = (heads // groups, groups, length, width)
    queries = g.op(f"fuse.expand {{0}} dim 0 into [{heads // groups}, {groups}] : {{0.tensor}}", q.type, shape, q)
    keys, values = (g.broadcast(each, [0, 2, 3], shape) for each in (k, v))
    scores = g.matmul(queries, g.transpose(keys, [0, 1, 3, 2])) * width ** -0.5
    row, column = (g.op(f"fuse.iota dim {dim} : {{result}}", "i32", scores.shape) for dim in (2, 3))
    kept = g.compare("le", column, row)
    probabilities = g.softmax(g.select(kept, scores, g.full(float("-inf"), scores)), 3).cast(q.type)
    out = g.transpose(g.matmul(probabilities, values).cast(q.type), [2, 0, 1, 3])
    return g.op("fuse.collapse {0} dims [1, 2, 3] : {0.tensor}", q.type, (length, heads * width), out)


def rotary_attention(length, heads, groups, width):
    def write(g):
        q = g.input("q", "bf16", (length, heads * width))
        k, v = (g.input(name, "bf16", (length, heads // groups * width)) for name in "kv")
        c, s = (g.input(name, "f32", (length, width // 2)) for name in "cs")
        q, k, v = heads_of(g, q, heads), heads_of(g, k, heads // groups), heads_of(g, v, heads // groups)
        g.output(grouped_attention(g, rotated(g, q, c, s), rotated(g, k, c, s), v, groups))

    def turned(name, number):
        x = f"{name}.unflatten(1, ({number}, {width})).transpose(0, 1)"
        return (f"(lambda x: torch.cat((x[..., :{width // 2}] * c - x[..., {width // 2}:] * s, x[..., {width // 2}:] * c + "
                f"x[..., :{width // 2}] * s), -1).to(x.dtype))({x})")

    few = heads // groups
    add(f"rotary_attention_{length}x{heads}x{width}_on_{few}", write,
        f"F.scaled_dot_product_attention({turned('q', heads)}[None], {turned('k', few)}[None], v.unflatten(1, ({few}, {width}))"
        f".transpose(0, 1)[None], is_causal=True, enable_gqa=True)[0].transpose(0, 1).flatten(1)",
        2 * length * length * heads * width, "bf16")


def llama_block(length, width, heads, groups, hidden):
    """One layer as of Llama: norms, rotary attention of grouped queries, and a gated perceptron."""
    head = width // heads
    few = heads // groups

    def write(g):
        x = g.input("x", "bf16", (length, width))
        scales = [g.input(name, "f32", (width,)) for name in ("s1", "s2")]
        w = g.input("w", "bf16", (width, width + 2 * few * head))
        wo = g.input("wo", "bf16", (width, width))
        w1 = g.input("w1", "bf16", (width, hidden))
        w3 = g.input("w3", "bf16", (width, hidden))
        w2 = g.input("w2", "bf16", (hidden, width))
        c, s = (g.input(name, "f32", (length, head // 2)) for name in "cs")
        n = g.rms_norm(x.cast("f32"), scales[0]).cast("bf16")
        qkv = g.matmul(n, w).cast("bf16")
        ends = (0, width, width + few * head, width + 2 * few * head)
        q, k, v = (heads_of(g, g.slice(qkv, None, slice(*ends[part:part + 2])), heads if part == 0 else few)
                   for part in range(3))
        o = grouped_attention(g, rotated(g, q, c, s), rotated(g, k, c, s), v, groups)
        h = (x.cast("f32") + g.matmul(o, wo)).cast("bf16")
        n = g.rms_norm(h.cast("f32"), scales[1]).cast("bf16")
        gated = (g.silu(g.matmul(n, w1)) * g.matmul(n, w3)).cast("bf16")
        g.output((h.cast("f32") + g.matmul(gated, w2)).cast("bf16"))

    add(f"llama_block_{length}x{width}x{hidden}", write,
        f"surveyed.llama_in_pytorch(torch, x, s1, s2, w, wo, w1, w3, w2, c, s, {heads}, {few})",
        2 * length * width * (2 * width + 2 * few * head + 3 * hidden) + 2 * length * length * width, "bf16")


def llama_in_pytorch(torch, x, s1, s2, w, wo, w1, w3, w2, c, s, heads, few):
    functional = torch.nn.functional
    length, width = x.shape
    head = width // heads

    def turned(each):
        low, high = each.float().chunk(2, -1)
        return torch.cat((low * c - high * s, high * c + low * s), -1).to(x.dtype)

    qkv = (functional.rms_norm(x, (width,), s1.to(x.dtype)) @ w).unflatten(1, (heads + 2 * few, head)).transpose(0, 1)[None]
    q, k, v = qkv.split((heads, few, few), 1)
    o = functional.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True, enable_gqa=True)
    h = x + o[0].transpose(0, 1).flatten(1) @ wo
    n = functional.rms_norm(h, (width,), s2.to(x.dtype))
    return h + (functional.silu(n @ w1) * (n @ w3)) @ w2


# Sums, norms and softmaxes.


def reduction(kind, shape, dims, element):
    def write(g):
        x = wide(g.input("x", element, shape))
        keep = [dim for dim in range(len(shape)) if dim not in dims]
        if kind == "logsumexp":
            most = g.reduce("max", x, dims)
            g.output(g.log(g.reduce("sum", g.exp(x - g.broadcast(most, keep, like=x)), dims)) + most)
        elif kind == "variance":
            mean = g.reduce("mean", x, dims)
            c = x - g.broadcast(mean, keep, like=x)
            g.output(g.reduce("mean", c * c, dims))
        else:
            g.output(g.reduce(kind, x, dims))

    peer = {"logsumexp": f"torch.logsumexp(x.float(), {dims})", "variance": f"torch.var(x.float(), {dims}, correction=0)",
            "max": f"x.amax({dims})"}.get(kind, f"x.{kind}({dims}, dtype=torch.float32)")
    add(f"{kind}_{element}_{joined(shape)}_of_{''.join(map(str, dims))}", write, peer)


def softmax(shape, dim, element):
    def write(g):
        g.output(narrow(g.softmax(wide(g.input("x", element, shape)), dim), element))

    add(f"softmax_{element}_{joined(shape)}_of_{dim}", write, f"torch.softmax(x, {dim})")


def row_times_matrix(m, n, dim, element):
    """As a sum, where a graph has no product."""
    def write(g):
        x, v = wide(g.input("x", element, (m, n))), wide(g.input("v", element, (n if dim == 1 else m,)))
        g.output(g.reduce("sum", x * g.broadcast(v, [dim], like=x), [dim]))

    add(f"times_{element}_{m}x{n}_of_{dim}", write, "x @ v" if dim == 1 else "v @ x")


def group_norm(batch, channels, groups, pixels, element):
    def write(g):
        x = wide(g.input("x", element, (batch, groups, channels // groups, pixels)))
        c = x - g.broadcast(g.reduce("mean", x, [2, 3]), [0, 1], like=x)
        scale = g.rsqrt(g.reduce("mean", c * c, [2, 3]) + 1e-5)
        g.output(narrow(g.silu(c * g.broadcast(scale, [0, 1], like=x)), element))

    add(f"group_norm_{element}_{batch}x{channels}x{pixels}_{groups}", write, "F.silu(F.layer_norm(x, x.shape[2:]))")


def batch_norm(batch, channels, pixels, element):
    def write(g):
        x = wide(g.input("x", element, (batch, channels, pixels)))
        s, t = g.input("s", "f32", (channels,)), g.input("t", "f32", (channels,))
        c = x - g.broadcast(g.reduce("mean", x, [0, 2]), [1], like=x)
        scale = g.rsqrt(g.reduce("mean", c * c, [0, 2]) + 1e-5) * s
        g.output(narrow(g.relu(c * g.broadcast(scale, [1], like=x) + g.broadcast(t, [1], like=x)), element))

    add(f"batch_norm_{element}_{batch}x{channels}x{pixels}", write, "torch.relu(F.batch_norm(x, None, None, s, t, True))")


def residual_norm(m, n):
    def write(g):
        x, r, s = g.input("x", "bf16", (m, n)), g.input("r", "bf16", (m, n)), g.input("s", "f32", (n,))
        h = wide(x) + wide(r)
        g.output(h.cast("bf16"))
        g.output(g.rms_norm(h, s).cast("bf16"))

    add(f"residual_norm_{m}x{n}", write, "(x + r, F.rms_norm(x + r, x.shape[1:], s.to(x.dtype)))")


def loss(m, n):
    """Of each row of logits, with the number of its label."""
    def write(g):
        x, label = g.input("x", "bf16", (m, n)).cast("f32"), g.input("label", "i32", (m,))
        most = g.reduce("max", x, [1])
        sums = g.log(g.reduce("sum", g.exp(x - g.broadcast(most, [0], like=x)), [1])) + most
        column = g.op("fuse.iota dim 1 : {result}", "i32", (m, n))
        own = g.select(g.compare("eq", column, g.broadcast(label, [0], like=column)), x, g.full(0.0, x))
        g.output(sums - g.reduce("sum", own, [1]))

    add(f"loss_{m}x{n}", write, "F.cross_entropy(x, label.long(), reduction='none')")


# What is only moved, or computed number by number.


def transpose(shape, order, element):
    def write(g):
        g.output(g.relu(g.transpose(g.input("x", element, shape), order)))

    add(f"transpose_{element}_{joined(shape)}_to_{''.join(map(str, order))}", write,
        f"torch.relu(x.permute({order})).contiguous()")


def pointwise(name, shape, count, compute, peer, element):
    def write(g):
        g.output(narrow(compute(g, *[wide(g.input(letter, element, shape)) for letter in "xyz"[:count]]), element))

    add(f"{name}_{element}_{joined(shape)}", write, peer)


def scale_shift(batch, channels, height, width, element):
    def write(g):
        shape = (batch, channels, height, width)
        x, r = wide(g.input("x", element, shape)), wide(g.input("r", element, shape))
        s, t = (g.broadcast(g.input(name, "f32", (channels,)), [1], like=x) for name in "st")
        g.output(narrow(g.relu(x * s + t + r), element))

    add(f"scale_shift_{element}_{batch}x{channels}x{height}x{width}", write,
        "torch.relu(x * s[None, :, None, None].to(x.dtype) + t[None, :, None, None].to(x.dtype) + r)")


def split_gate(m, n):
    def write(g):
        x = g.input("x", "bf16", (m, 2 * n)).cast("f32")
        g.output((g.silu(g.slice(x, None, slice(0, n))) * g.slice(x, None, slice(n, 2 * n))).cast("bf16"))

    add(f"split_gate_{m}x{n}", write, f"F.silu(x[:, :{n}]) * x[:, {n}:]")


def outer(m, n):
    def write(g):
        x, y = g.input("x", "f32", (m,)), g.input("y", "f32", (n,))
        g.output(g.sigmoid(g.broadcast(x, [0], (m, n)) + g.broadcast(y, [1], (m, n))))

    add(f"outer_{m}x{n}", write, "torch.sigmoid(x[:, None] + y)")


def register():
    for case in ((333, 512, 777, "f16", "silu"), (8, 4096, 4096, "f16", "none"), (32, 2048, 8192, "bf16", "relu"),
                 (256, 5120, 5120, "bf16", "none"), (777, 1111, 999, "bf16", "relu"), (10000, 256, 256, "bf16", "relu"),
                 (100000, 64, 64, "bf16", "relu"), (100000, 128, 32, "f16", "none"), (4096, 32, 4096, "bf16", "none"),
                 (3000, 3000, 3000, "bf16", "none"), (5000, 100, 300, "f16", "gelu"), (512, 768, 50257, "bf16", "gelu"),
                 (2000, 64, 501, "f16", "none"), (4096, 4096, 4095, "bf16", "none"), (1000, 1000, 1001, "bf16", "gelu")):
        linear(*case)
        linear(*case, layout="nk")
    for case in ((333, 512, 777), (2048, 2048, 2048), (128, 1024, 1024), (16, 4096, 4096), (1, 4096, 4096), (50000, 64, 64),
                 (100000, 16, 8), (1000, 1000, 1000), (5000, 100, 300)):
        linear(*case, "f32", "none")
        linear(*case, "f32", "none", precision="tf32")
    for case in ((4096, 4096, 1024), (2048, 1024, 1024), (64, 4096, 4096), (300, 1000, 500)):
        linear(*case, "bf16", "none", residual=True)
    for case in ((8, 1024, 1024, 1024), (96, 197, 64, 197), (512, 64, 64, 64), (32, 512, 128, 512), (128, 49, 32, 49),
                 (16, 1, 1024, 4096), (64, 16, 128, 2048), (24, 1000, 80, 77), (4096, 27, 128, 27), (100, 100, 100, 100)):
        batched(*case, "bf16", "kn")
        batched(*case, "bf16", "nk")
    for case in ((32, 256, 256, 256), (512, 32, 32, 32), (4096, 27, 64, 27)):
        batched(*case, "f32", "kn")
    for case in ((1, 4096, 11008), (16, 4096, 14336), (64, 4096, 11008), (256, 4096, 11008), (1000, 2048, 5632),
                 (2048, 2048, 8192), (300, 768, 2048), (8, 1024, 2816)):
        gate(*case)
    for case in ((1, 4096, 4096), (16, 4096, 11008), (256, 4096, 4096), (2048, 4096, 4096)):
        quantized(*case)
    for case in ((2048, 32, 4, 128), (8192, 16, 1, 64), (1000, 12, 1, 64)):
        rotary_attention(*case)
    for case in ((2048, 4096, 32, 4, 14336), (512, 2048, 16, 1, 5632)):
        llama_block(*case)
    for case in ((1, 4096, 6144), (8, 4096, 4096), (64, 4096, 4096), (512, 768, 2304), (4096, 4096, 4096), (200, 1000, 3000),
                 (2048, 512, 512), (20000, 256, 256)):
        norm_linear(*case)
    for case in ((1, 1024, 4096, 1024), (16, 768, 3072, 768), (128, 512, 2048, 512), (2048, 256, 1024, 256),
                 (50000, 64, 256, 64), (100000, 32, 64, 32), (8192, 128, 512, 128), (4096, 1024, 4096, 1024),
                 (256, 2048, 8192, 2048), (65536, 100, 200, 10, False), (4096, 784, 512, 10, False)):
        two_layers(*case)
    for case in ((1, 4096, 4096, 16), (16, 4096, 4096, 64), (512, 4096, 4096, 16), (2048, 1024, 1024, 8),
                 (8192, 4096, 4096, 128)):
        low_rank(*case)
    both(distance, ((100000, 256, 64), (10000, 1000, 128), (4096, 4096, 256)))
    for case in ((8192, 4096, 64), (8192, 4096, 8), (4096, 1024, 1024), (512, 768, 50257)):
        scored(*case, "softmax")
    for case in ((4096, 768, 50257), (2048, 4096, 32000), (512, 2048, 1000)):
        scored(*case, "logsumexp")
    both(reduction, (
        ("sum", (4096, 4096), [0]), ("sum", (4096, 4096), [1]), ("sum", (4096, 4096), [0, 1]), ("sum", (100000000,), [0]),
        ("mean", (64, 256, 56, 56), [0, 2, 3]), ("variance", (64, 256, 56, 56), [0, 2, 3]), ("mean", (64, 2048, 7, 7), [2, 3]),
        ("max", (8, 1000, 1000), [1]), ("max", (128, 128, 128), [0]), ("logsumexp", (4096, 50257), [1]),
        ("logsumexp", (256, 128256), [1]), ("logsumexp", (100000, 10), [1]), ("sum", (3, 1000000), [1]),
        ("sum", (1000000, 3), [0]), ("sum", (17, 1001, 333), [0, 2]), ("sum", (64, 64, 64, 64), [1, 3]),
        ("mean", (32, 197, 768), [1]), ("variance", (1000, 33, 65), [1]), ("max", (1, 1000000), [1])))
    both(softmax, (((4096, 4096), 0), ((64, 1000, 512), 1), ((8, 197, 197), 2), ((32, 12, 512, 512), 3), ((16, 128, 64, 64), 1),
                   ((100000, 10), 1), ((100000, 10), 0), ((2048, 32000), 1), ((128, 50257), 1), ((10, 1000000), 1),
                   ((20000, 300), 1)))
    both(row_times_matrix, ((4096, 4096, 1), (4096, 4096, 0), (50257, 768, 1), (768, 50257, 1), (100, 100000, 1),
                            (100000, 100, 0), (1000000, 16, 1)))
    both(group_norm, ((2, 320, 32, 4096), (2, 1280, 32, 256), (16, 512, 32, 4096), (1, 128, 32, 262144)))
    both(batch_norm, ((64, 256, 3136), (32, 64, 12544), (128, 2048, 49), (256, 1000, 1), (1024, 512, 1)))
    for case in ((8192, 4096), (1, 4096), (64, 8192), (16384, 768), (300, 1000)):
        residual_norm(*case)
    for case in ((4096, 50257), (8192, 32000), (2048, 128256), (100000, 10), (512, 1000)):
        loss(*case)
    both(transpose, (((4096, 4096), [1, 0]), ((8192, 1000), [1, 0]), ((1000000, 3), [1, 0]), ((3, 1000000), [1, 0]),
                     ((64, 256, 56, 56), [0, 2, 3, 1]), ((64, 56, 56, 256), [0, 3, 1, 2]), ((16, 1024, 12, 64), [0, 2, 1, 3]),
                     ((128, 128, 128), [2, 1, 0]), ((33, 65, 129), [1, 2, 0]), ((32, 3, 224, 224), [0, 2, 3, 1])))
    for element in ("f32", "bf16"):
        pointwise("gelu", (64, 1024, 1024), 1, lambda g, x: g.gelu(x), "F.gelu(x)", element)
        pointwise("add", (100000007,), 2, lambda g, x, y: x + y, "x + y", element)
        pointwise("fma", (1000, 1000, 33), 3, lambda g, x, y, z: x * y + z, "x * y + z", element)
        pointwise("tanh", (1000003,), 1, lambda g, x: g.tanh(x), "torch.tanh(x)", element)
        pointwise("log", (333, 1777), 1, lambda g, x: g.log(g.abs(x) + 1.0), "torch.log(x.abs() + 1)", element)
        pointwise("divide", (8192, 8192), 2, lambda g, x, y: x / (g.abs(y) + 1.0), "x / (y.abs() + 1)", element)
    both(scale_shift, ((64, 256, 56, 56), (32, 2048, 7, 7), (8, 3, 224, 224), (2, 17, 33, 35)))
    for case in ((8192, 11008), (1, 11008), (1000, 2731), (128, 8192)):
        split_gate(*case)
    for case in ((8192, 8192), (1000, 33333)):
        outer(*case)


register()
