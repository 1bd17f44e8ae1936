"""What the workloads of tools/fuse-bench compute, op by op, with PyTorch: no part of it goes through fuse.

The same text serves two kinds of numbers: `Exact` computes in f64 and rounds nothing, `Typed` in the types that
the graphs say. Each function takes them, the workload and its arguments by name.
"""

import torch

TYPES = {"f32": torch.float32, "tf32": torch.float32, "tf32x3": torch.float32, "f16": torch.float16,
         "bf16": torch.bfloat16, "f8": torch.float8_e4m3fn, "f8E4M3FN": torch.float8_e4m3fn, "f64": torch.float64,
         "i32": torch.int32, "i64": torch.int64}

# How many scores are computed at a time.
SCORES = 1 << 27


class NotExact(Exception):
    """Data on which something is rounded, where nothing should be."""


class Exact:
    """In f64. With `is_whole` it is an error if the types as written would round anything."""

    float = torch.float64

    def __init__(self, is_whole=False):
        self.is_whole = is_whole

    def wide(self, value):
        return value.to(self.float)

    def round(self, value, element):
        if self.is_whole and not torch.equal(value.to(element).to(self.float), value):
            raise NotExact(f"results of up to {value.abs().max().item():g} are rounded to {element}")
        return value

    def product(self, a, b, precision="ieee"):
        a, b = self.wide(a), self.wide(b)
        if self.is_whole and (a.abs() @ b.abs()).max() > 1 << 24:
            raise NotExact("a sum of products may be too large for f32")
        return a @ b


def tf32(value):
    """Rounded to nearest, of two equally near numbers to the even one, with 10 bits of mantissa."""
    bits = value.contiguous().view(torch.int32)
    odd = (bits >> 13) & 1
    return ((bits + 0xFFF + odd) & ~0x1FFF).view(torch.float32)


def in_turn(a, b):
    """A product whose sums are taken one term after the other."""
    total = torch.zeros(*a.shape[:-1], b.shape[-1], dtype=a.dtype, device=a.device)
    for k in range(a.shape[-1]):
        total.addcmul_(a[..., k:k + 1], b[..., k:k + 1, :])
    return total


class Typed:
    """As the graphs are written; sums in f32, in one order of several."""

    float = torch.float32

    def __init__(self, order=0):
        self.order = order

    def wide(self, value):
        return value.to(self.float)

    def round(self, value, element):
        return value.to(element)

    def sums(self, a, b):
        """0: as PyTorch likes, 1: in turn, and others: with the terms shuffled."""
        if self.order == 1:
            return in_turn(a, b)
        if self.order > 1:
            places = torch.randperm(a.shape[-1], generator=torch.Generator().manual_seed(self.order)).to(a.device)
            a, b = a[..., places], b[..., places, :]
        return a @ b

    def product(self, a, b, precision="ieee"):
        a, b = self.wide(a), self.wide(b)
        if precision == "ieee":
            return self.sums(a, b)
        high_a, high_b = tf32(a), tf32(b)
        if precision == "tf32":
            return self.sums(high_a, high_b)
        rest_a, rest_b = tf32(a - high_a), tf32(b - high_b)
        return self.sums(rest_a, high_b) + self.sums(high_a, rest_b) + self.sums(high_a, high_b)


# ----------------------------------------------------------------------------
# Words
# ----------------------------------------------------------------------------

def softmax_of_rows(x):
    """Rows of which nothing is kept are zero."""
    largest = x.max(-1, keepdim=True).values
    weights = torch.exp(x - torch.where(torch.isinf(largest), 0, largest))
    total = weights.sum(-1, keepdim=True)
    return torch.where(total == 0, 0, weights / total)


def normalised(m, x, gamma, beta):
    x = m.wide(x)
    mean = x.mean(-1, keepdim=True)
    centred = x - mean
    variance = (centred * centred).mean(-1, keepdim=True)
    return centred / torch.sqrt(variance + 1e-5) * m.wide(gamma) + m.wide(beta)


def gelu_tanh(x):
    return 0.5 * x * (1 + torch.tanh((2 / torch.pi) ** 0.5 * (x + 0.044715 * x * x * x)))


def gelu_erf(x):
    return 0.5 * x * (1 + torch.erf(x * 0.5 ** 0.5))


def kept(tokens, padding, device):
    """Whether row i sees column j: not what comes later, and no padding, which sees nothing either."""
    i = torch.arange(tokens, device=device)[:, None]
    j = torch.arange(tokens, device=device)[None, :]
    return (j <= i) & (j >= padding) & (i >= padding)


def attend(m, q, k, v, element, scale, keep=None, change=None):
    """Of [batch, heads, tokens, features], where heads of keys and values may serve several of queries each; probabilities and
    results are of the type `element`. Of a sequence `keep` says which scores count, and of one and its heads `change` what they
    are before that."""
    batch, heads, queries, _ = q.shape
    members, keys = heads // k.shape[1], k.shape[2]
    # As the graphs say it, in f32.
    scale = torch.tensor(scale, dtype=torch.float32).item()
    at_once = max(SCORES // (queries * keys), 1)
    rows = []
    for b in range(batch):
        kept = keep(b) if keep else None
        for first in range(0, heads, at_once):
            part = range(heads)[first:first + at_once]
            shared = [head // members for head in part]
            scores = m.product(q[b, first:first + at_once], k[b, shared].transpose(-1, -2)) * scale
            if change:
                scores = change(scores, part)
            if kept is not None:
                scores = scores.masked_fill(~kept, float("-inf"))
            shares = m.round(softmax_of_rows(scores), element)
            del scores
            rows.append(m.round(m.product(shares, v[b, shared]), element))
    return torch.cat(rows).reshape(q.shape)


# ----------------------------------------------------------------------------
# Workloads
# ----------------------------------------------------------------------------

def precision_of(workload):
    return workload.types if workload.types in ("tf32", "tf32x3") else "ieee"


def pointwise(m, workload, x, b, y=None):
    z = m.wide(x) if y is None else m.wide(x) + m.wide(y) * 0.5
    z = z + m.wide(b)
    return torch.sigmoid(z) if workload.parameters["function"] == "lora_sigmoid" else torch.relu(z)


def softmax(m, workload, x):
    return m.round(softmax_of_rows(m.wide(x)), x.dtype)


def layer_norm(m, workload, x, gamma, beta):
    return m.round(normalised(m, x, gamma, beta), x.dtype)


def masked_softmax(m, workload, x, p):
    return softmax_of_rows(m.wide(x).masked_fill(~kept(len(x), p, x.device), float("-inf")))


def scores(m, workload, att, v, p):
    return m.product(masked_softmax(m, workload, att, p), v)


def linear(m, workload, x, w, b):
    return m.round(torch.relu(m.product(x, w, precision_of(workload)) + m.wide(b)), x.dtype)


def linear_f8(m, workload, x, w, sx, sw, b):
    return m.round(torch.relu(m.product(x, w) * (m.wide(sx) * m.wide(sw)) + m.wide(b)), torch.bfloat16)


def norm_linear(m, workload, x, gamma, beta, w, b):
    normed = m.round(normalised(m, x, gamma, beta), x.dtype)
    return m.round(gelu_tanh(m.product(normed, w) + m.wide(b)), x.dtype)


def gate(m, workload, x, w):
    left, right = m.product(x, w, precision_of(workload)).chunk(2, -1)
    return m.round(torch.sigmoid(left) * torch.tanh(right), x.dtype)


def geglu(m, workload, x, w, b):
    left, right = (m.product(x, w) + m.wide(b)).chunk(2, -1)
    return m.round(left * gelu_erf(right), x.dtype)


def lora(m, workload, x, w, down, up, b):
    low = m.round(m.product(x, down), x.dtype)
    z = m.product(x, w) + m.product(low, up) * 0.5
    return m.round(torch.relu(z + m.wide(b)), x.dtype)


def mlp(m, workload, x, **layers):
    count = len(layers) // 2
    for i in range(1, count + 1):
        z = m.product(x, layers[f"w{i}"], precision_of(workload)) + m.wide(layers[f"b{i}"])
        if i < count:
            z = torch.relu(z)
        elif workload.parameters.get("last") == "sigmoid":
            z = torch.sigmoid(z)
        x = m.round(z, TYPES[workload.types])
    return x


def two_layers(m, workload, x, w1, w2):
    hidden = m.round(torch.relu(m.product(x, w1)), x.dtype)
    return m.round(m.product(hidden, w2), x.dtype)


def dlrm(m, workload, x, ids, **others):
    tables = [others[f"t{i}"] for i in range(26)]
    bottom = mlp(m, workload, x, **{f"{kind}{i}": others[f"{kind}{i}"] for i in range(1, 5) for kind in "wb"})
    rows = (ids + 1) % len(tables[0])
    c = torch.cat([bottom] + [m.wide(table[rows[:, i]]) for i, table in enumerate(tables)], 1)
    outer = (c[:, :, None] * c[:, None, :]).flatten(1)
    hidden = torch.relu(m.product(outer, others["w5"], precision_of(workload)) + m.wide(others["b5"]))
    return torch.sigmoid(m.product(hidden, others["w6"], precision_of(workload)) + m.wide(others["b6"]))


def attention(m, workload, q, k, v, p=None, pad=None, slope=None, segment=None):
    parameters = workload.parameters
    mask, cap = parameters["mask"], parameters.get("cap")
    # One head of one sequence has no dimensions for them.
    shape = (1,) * (4 - q.dim()) + tuple(q.shape)
    paddings = pad if pad is not None else [p if p is not None else 0] * shape[0]
    i = torch.arange(q.shape[-2], device=q.device)[:, None]
    j = torch.arange(k.shape[-2], device=q.device)

    def keep(b):
        seen = kept(len(i), paddings[b], q.device)
        if mask == "window":
            seen &= j + parameters["window"] > i
        elif mask == "segment":
            seen &= segment[b][:, None] == segment[b]
        return seen

    def change(scores, heads):
        if cap:
            scores = torch.tanh(scores / cap) * cap
        if slope is not None:
            scores = scores + m.wide(slope)[heads.start:heads.stop, None, None] * (j - i)
        return scores

    return attend(m, *(each.reshape((1,) * (4 - each.dim()) + tuple(each.shape)) for each in (q, k, v)), q.dtype,
                  parameters["D"] ** -0.5, keep if mask != "none" else None, change).reshape(q.shape)


def two_scores(m, workload, q1, k1, q2, k2, v):
    scale = workload.parameters["D"] ** -0.5
    rows = []
    for b in range(len(v)):
        one, other = (m.product(q[b], k[b].transpose(-1, -2)) * scale for q, k in ((q1, k1), (q2, k2)))
        shares = m.round(softmax_of_rows(torch.sigmoid(one) * other), v.dtype)
        rows.append(m.round(m.product(shares, v[b]), v.dtype))
    return torch.stack(rows)


def project(m, workload, x, w, v, p):
    shares = m.round(softmax_of_rows(m.product(x, w)), x.dtype)
    return m.round(m.wide(x) + m.product(m.round(m.product(shares, v), x.dtype), p), x.dtype)


def norm_mlp(m, workload, x, gamma, beta, w1, w2):
    normed = m.round(normalised(m, x, gamma, beta), x.dtype)
    return m.round(m.product(m.round(gelu_tanh(m.product(normed, w1)), x.dtype), w2), x.dtype)


def gpt2(m, workload, x, g1, be1, wqkv, bqkv, wo, bo, g2, be2, w1, b1, w2, b2):
    batch, heads, element = workload.parameters["batch"], workload.parameters["heads"], x.dtype
    rows, width = x.shape
    normed = m.round(normalised(m, x, g1, be1), element)
    qkv = m.round(m.product(normed, wqkv) + m.wide(bqkv), element)
    q, k, v = (part.reshape(batch, rows // batch, heads, width // heads).transpose(1, 2) for part in qkv.chunk(3, -1))
    o = attend(m, q, k, v, element, (width // heads) ** -0.5, lambda b: kept(rows // batch, 0, x.device))
    o = o.transpose(1, 2).reshape(rows, width)
    h = m.round(m.wide(x) + (m.product(o, wo) + m.wide(bo)), element)
    normed = m.round(normalised(m, h, g2, be2), element)
    middle = m.round(gelu_tanh(m.product(normed, w1) + m.wide(b1)), element)
    return m.round(m.wide(h) + (m.product(middle, w2) + m.wide(b2)), element)


KINDS = {function.__name__: function for function in (
    pointwise, softmax, layer_norm, masked_softmax, scores, linear, linear_f8, norm_linear, gate, geglu, lora, mlp,
    two_layers, dlrm, attention, two_scores, project, norm_mlp, gpt2)}

# Data on which nothing is rounded: of each argument the largest whole number and how many of a column, on the average,
# are no zeros (all: 0). Workloads that are not among these make fractions.
WHOLE = {
    "pointwise": {"x": (1000, 0), "y": (1000, 0), "b": (1000, 0)},
    "linear": {"x": (2, 0), "w": (1, 256), "b": (8, 0)},
    "linear_f8": {"x": (2, 0), "w": (1, 256), "b": (8, 0), "sx": (1, 0), "sw": (1, 0)},
    "lora": {"x": (2, 0), "w": (1, 128), "down": (2, 16), "up": (1, 4), "b": (8, 0)},
    "two_layers": {"x": (2, 0), "w1": (1, 16), "w2": (1, 32)},
    "mlp": {"x": (2, 0), **{f"w{i}": (1, 8) for i in range(1, 5)}, **{f"b{i}": (2, 0) for i in range(1, 5)}},
}


def has_whole_data(workload):
    p = workload.parameters
    return workload.kind in WHOLE and p.get("last") != "sigmoid" and p.get("function") != "lora_sigmoid"
