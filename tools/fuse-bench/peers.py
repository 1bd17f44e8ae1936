#!/usr/bin/env python3
"""What others take for the same workloads: PyTorch and Triton.

fuse-bench starts it and writes requests to it, one JSON object a line: a workload's
kind and parameters, and what to time. An answer is one line, too. Needs PyTorch; its
argument says where: cuda or cpu.

  eager     PyTorch, op by op
  library   PyTorch with the fused functions that there are for it
  flex      its flex_attention, compiled, for attention: seconds
  compile   torch.compile
  tuned     torch.compile, max-autotune-no-cudagraphs: minutes
  triton    kernels written by hand, for rows and pointwise workloads
"""

import functools
import gc
import json
import math
import sys

import attention as graphs
import host

try:
    import torch
    import torch.nn.functional as F

    import timing
except ImportError as error:
    print(json.dumps({"error": f"{sys.executable} has no PyTorch: {type(error).__name__}: {error}"}), flush=True)
    sys.exit(1)

DEVICE = sys.argv[1] if len(sys.argv) > 1 else "cuda"

TYPES = {"f32": torch.float32, "tf32": torch.float32, "tf32x3": torch.float32, "f16": torch.float16,
         "bf16": torch.bfloat16, "f8": torch.float8_e4m3fn}


class Peers:
    """A workload: its arguments, and ways to compute it."""

    def __init__(self, make, eager, library=None, triton=None, flex=None):
        # Arguments are made anew for each set. What `flex` gives is to be compiled.
        self.make, self.eager, self.library, self.triton, self.flex = make, eager, library, triton, flex


def normal(*shape, element=torch.float32, scale=1.0):
    return (torch.randn(*shape, device=DEVICE) * scale).to(element)


def weight(k, n, element, scale=None):
    return normal(k, n, element=element, scale=scale or k ** -0.5)


# ----------------------------------------------------------------------------
# Rows
# ----------------------------------------------------------------------------

def pointwise(p, element):
    m, n = p["M"], p["N"]
    functions = {
        "relu": lambda x, b: torch.relu(x + b),
        "lora_relu": lambda x, y, b: torch.relu(x + 0.5 * y + b),
        "lora_sigmoid": lambda x, y, b: torch.sigmoid(x + 0.5 * y + b),
    }
    inputs = 1 if p["function"] == "relu" else 2
    return Peers(lambda: (*(normal(m, n) for _ in range(inputs)), normal(n)), functions[p["function"]],
                 triton=("pointwise", p["function"]))


def softmax(p, element):
    return Peers(lambda: (normal(p["M"], p["N"], element=element),), lambda x: torch.softmax(x, -1),
                 triton=("softmax", None))


def layer_norm(p, element):
    n = p["N"]
    return Peers(lambda: (normal(p["M"], n, element=element), 1 + normal(n, element=element, scale=0.1),
                          normal(n, element=element, scale=0.1)),
                 lambda x, g, b: F.layer_norm(x, (n,), g, b, 1e-5), triton=("layer_norm", None))


def keep(tokens, padding, device=DEVICE):
    i = torch.arange(tokens, device=device)[:, None]
    j = torch.arange(tokens, device=device)[None, :]
    return (j <= i) & (j >= padding) & (i >= padding)


def padded_softmax(x, kept):
    return torch.nan_to_num(torch.softmax(x.masked_fill(~kept, -math.inf), -1))


def masked_softmax(p, element):
    n = p["N"]
    return Peers(lambda: (normal(n, n),), lambda x: padded_softmax(x, keep(n, 5)))


def scores(p, element):
    kept = keep(p["S"], 5)
    return Peers(lambda: (normal(p["S"], p["S"]), normal(p["S"], p["D"])), lambda x, v: padded_softmax(x, kept) @ v)


# ----------------------------------------------------------------------------
# Products
# ----------------------------------------------------------------------------

def linear(p, element):
    m, n, k = p["M"], p["N"], p["K"]
    gelu = p.get("activation") == "gelu"

    def activation(z):
        return F.gelu(z, approximate="tanh") if gelu else torch.relu(z)

    def make():
        # Along k, its rows are columns of what is multiplied.
        stored = weight(n, k, element, k ** -0.5).t() if p.get("layout") == "nk" else weight(k, n, element)
        return normal(m, k, element=element), stored, normal(n, element=element, scale=0.5)

    return Peers(make, lambda x, w, b: activation(torch.addmm(b, x, w)),
                 lambda x, w, b: torch._addmm_activation(b, x, w, use_gelu=gelu))


def linear_f8(p, element):
    m, n, k = p["M"], p["N"], p["K"]

    def make():
        # cuBLAS wants both factors along K.
        return (normal(m, k).to(element), normal(n, k).to(element), torch.ones((), device=DEVICE),
                torch.full((), k ** -0.5, device=DEVICE), normal(n, element=torch.bfloat16))

    def product(x, w, sx, sw, b):
        return torch._scaled_mm(x, w.t(), scale_a=sx, scale_b=sw, out_dtype=torch.bfloat16)

    return Peers(make, lambda x, w, sx, sw, b: torch.relu(product(x, w, sx, sw, b) + b))


def norm_linear(p, element):
    m, n, k = p["M"], p["N"], p["K"]

    def make():
        return (normal(m, k, element=element) + 1, 1 + normal(k, element=element, scale=0.1),
                normal(k, element=element, scale=0.1), weight(k, n, element), normal(n, element=element, scale=0.5))

    def norm(x, g, s):
        return F.layer_norm(x, (k,), g, s, 1e-5)

    return Peers(make, lambda x, g, s, w, b: F.gelu(torch.addmm(b, norm(x, g, s), w), approximate="tanh"),
                 lambda x, g, s, w, b: torch._addmm_activation(b, norm(x, g, s), w, use_gelu=True))


def gate(p, element):
    m, n, k = p["M"], p["N"], p["K"]

    def call(x, w):
        left, right = (x @ w).chunk(2, -1)
        return torch.sigmoid(left) * torch.tanh(right)

    return Peers(lambda: (normal(m, k, element=element), weight(k, 2 * n, element)), call)


def geglu(p, element):
    m, n, k = p["M"], p["N"], p["K"]

    def call(x, w, b):
        left, right = torch.addmm(b, x, w).chunk(2, -1)
        return left * F.gelu(right)

    return Peers(lambda: (normal(m, k, element=element), weight(k, 2 * n, element), normal(2 * n, element=element)), call)


def lora(p, element):
    m, n, k = p["M"], p["N"], p["K"]

    def make():
        return (normal(m, k, element=element), weight(k, n, element), weight(k, 16, element), weight(16, n, element),
                normal(n, element=element))

    return Peers(make, lambda x, w, d, u, b: torch.relu(torch.addmm(b, x, w) + 0.5 * ((x @ d) @ u)))


def chain(widths, batch, element, last):
    """Arguments and ways to compute layers with a relu between them."""
    def make():
        pairs = [(weight(k, n, element, (2 / k) ** 0.5), normal(n, element=element, scale=0.1))
                 for k, n in zip(widths, widths[1:])]
        return (normal(batch, widths[0], element=element), *(value for pair in pairs for value in pair))

    def eager(x, *layers):
        for i in range(0, len(layers) - 2, 2):
            x = torch.relu(torch.addmm(layers[i + 1], x, layers[i]))
        x = torch.addmm(layers[-1], x, layers[-2])
        return torch.sigmoid(x) if last == "sigmoid" else x

    def library(x, *layers):
        for i in range(0, len(layers) - 2, 2):
            x = torch._addmm_activation(layers[i + 1], x, layers[i])
        x = torch.addmm(layers[-1], x, layers[-2])
        return torch.sigmoid(x) if last == "sigmoid" else x

    return make, eager, library


def mlp(p, element):
    make, eager, library = chain(p["widths"], p["batch"], element, p["last"])
    return Peers(make, eager, library)


def two_layers(p, element):
    def make():
        return normal(p["M"], p["K"], element=element), weight(p["K"], p["H"], element), weight(p["H"], p["N"], element)

    return Peers(make, lambda x, a, b: torch.relu(x @ a) @ b)


def dlrm(p, element):
    batch, tables, width, count = p["batch"], 26, 16, 100000
    make_bottom, bottom, _ = chain([13, 512, 256, 64, 16], batch, element, "none")
    features = width * (tables + 1)
    # All sets share the tables, which take more than the cache anyway.
    shared = [normal(count, width, scale=0.5) for _ in range(tables)]
    top = (weight(features * features, 16, element, 4 / features), normal(16, scale=0.1), weight(16, 1, element),
           normal(1, scale=0.1))

    def make():
        return (torch.randint(0, 2 ** 32, (batch, tables), device=DEVICE), *make_bottom())

    def concatenated(ids, x, *layers):
        rows = (ids + 1) % count
        return torch.cat([bottom(x, *layers)] + [F.embedding(rows[:, i], table) for i, table in enumerate(shared)], 1)

    def eager(ids, x, *layers):
        c = concatenated(ids, x, *layers)
        outer = (c[:, :, None] * c[:, None, :]).reshape(batch, -1)
        return torch.sigmoid(torch.addmm(top[3], torch.relu(torch.addmm(top[1], outer, top[0])), top[2]))

    def folded(ids, x, *layers):
        """The outer product folded into the layer behind it by algebra."""
        c = concatenated(ids, x, *layers)
        partial = (c @ folded_weight).view(batch, features, 16)
        return torch.sigmoid(torch.addmm(top[3], torch.relu(torch.bmm(c[:, None, :], partial)[:, 0] + top[1]), top[2]))

    folded_weight = top[0].view(features, features, 16).transpose(0, 1).reshape(features, features * 16).contiguous()
    return Peers(make, eager, folded)


# ----------------------------------------------------------------------------
# Attention
# ----------------------------------------------------------------------------

class Scores:
    """What is done to scores: functions of a sequence, a head, a query and a key, which for flex_attention are one number each,
    and for others all there are."""

    def __init__(self, p):
        self.p = p
        batch, heads = p["B"], p["H"]
        paddings = torch.randint(0, 512, (batch,), device=DEVICE) if batch > 1 else torch.tensor([5], device=DEVICE)
        segments = torch.randint(0, 4, (batch, p["S"]), device=DEVICE)
        slopes = torch.rand(heads, device=DEVICE) / 2
        window, cap = p.get("window"), p.get("cap")
        self.keep = {
            "none": None,
            "causal": lambda b, h, i, j: j <= i,
            "padded": lambda b, h, i, j: (j <= i) & (j >= paddings[b]) & (i >= paddings[b]),
            "window": lambda b, h, i, j: (j <= i) & (j + window > i),
            "segment": lambda b, h, i, j: (j <= i) & (segments[b, i] == segments[b, j]),
        }[p["mask"]]

        def change(score, b, h, i, j):
            if cap:
                score = cap * torch.tanh(score / cap)
            return score + (slopes[h] * (j - i)).to(score.dtype) if p.get("bias") else score

        self.change = change if cap or p.get("bias") else None

    def places(self):
        return (torch.arange(self.p[name], device=DEVICE).view(-1, *(1,) * (3 - number))
                for number, name in enumerate(("B", "H", "S", "T")))

    def masked(self, x):
        """Scores as they should be; a single number serves as all of them."""
        places = tuple(self.places())
        if self.change:
            x = self.change(x, *places)
        return torch.where(self.keep(*places), x, -math.inf) if self.keep else x


def attention(p, element):
    batch, heads, shared, queries, keys, features = (p[name] for name in ("B", "H", "KV", "S", "T", "D"))
    scores = Scores(p)
    options = {} if shared == heads else {"enable_gqa": True}

    def make():
        return (normal(batch, heads, queries, features, element=element),
                *(normal(batch, shared, keys, features, element=element) for _ in range(2)))

    def eager(q, k, v):
        if shared != heads:
            k, v = (x.repeat_interleave(heads // shared, 1) for x in (k, v))
        shares = torch.softmax(scores.masked(q @ k.transpose(-1, -2) * features ** -0.5), -1)
        return (torch.nan_to_num(shares) if p["mask"] == "padded" else shares) @ v

    @functools.cache
    def added():
        """What is added to scores where no other word says what is done to them; fast are masks of four dimensions."""
        if graphs.is_plain(p):
            return None
        made = scores.masked(torch.zeros((), dtype=element, device=DEVICE))
        return made[(None,) * (4 - made.dim())]

    def sdpa(q, k, v):
        is_causal = graphs.is_plain(p) and p["mask"] == "causal"
        return F.scaled_dot_product_attention(q, k, v, attn_mask=added(), is_causal=is_causal, **options)

    def flex():
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention

        # One for all sequences where it is the same for all.
        sequences = batch if p["mask"] in ("padded", "segment") else None
        blocks = create_block_mask(scores.keep, sequences, None, queries, keys, device=DEVICE) if scores.keep else None
        return functools.partial(flex_attention, score_mod=scores.change, block_mask=blocks, **options)

    return Peers(make, eager, None if p.get("cap") else sdpa, flex=flex)


def two_scores(p, element):
    def make():
        return tuple(normal(p["B"], p["H"], p["S"], p["D"], element=element) for _ in range(5))

    def eager(q1, k1, q2, k2, v):
        one, other = (q @ k.transpose(-1, -2) * p["D"] ** -0.5 for q, k in ((q1, k1), (q2, k2)))
        return torch.softmax(torch.sigmoid(one) * other, -1) @ v

    return Peers(make, eager)


def project(p, element):
    m, k, h, n = (p[name] for name in ("M", "K", "H", "N"))

    def make():
        return normal(m, k, element=element), weight(k, h, element), normal(h, n, element=element), weight(n, k, element)

    return Peers(make, lambda x, w, v, last: torch.addmm(x, torch.softmax(x @ w, -1) @ v, last))


def norm_mlp(p, element):
    m, k, h = (p[name] for name in ("M", "K", "H"))
    no_bias = torch.zeros(h, dtype=element, device=DEVICE)

    def make():
        return (normal(m, k, element=element) + 1, 1 + normal(k, element=element, scale=0.1),
                normal(k, element=element, scale=0.1), weight(k, h, element), weight(h, k, element))

    def norm(x, g, s):
        return F.layer_norm(x, (k,), g, s, 1e-5)

    return Peers(make, lambda x, g, s, up, down: F.gelu(norm(x, g, s) @ up, approximate="tanh") @ down,
                 lambda x, g, s, up, down: torch._addmm_activation(no_bias, norm(x, g, s), up, use_gelu=True) @ down)


def gpt2(p, element):
    batch, tokens, width, heads = p["batch"], p["tokens"], p["width"], p["heads"]
    features = width // heads
    sizes = [(width, 3 * width), (width, width), (width, 4 * width), (4 * width, width)]

    def make():
        layers = [value for k, n in sizes for value in (weight(k, n, element), normal(n, element=element, scale=0.1))]
        norms = [1 + normal(width, element=element, scale=0.1), normal(width, element=element, scale=0.1)] * 2
        return (normal(batch * tokens, width, element=element), *norms, *layers)

    def attend(qkv):
        q, k, v = (part.view(batch, tokens, heads, features).transpose(1, 2) for part in qkv.chunk(3, -1))
        o = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return o.transpose(1, 2).reshape(batch * tokens, width)

    def call(up):
        def block(x, g1, s1, g2, s2, wqkv, bqkv, wo, bo, w1, b1, w2, b2):
            qkv = torch.addmm(bqkv, F.layer_norm(x, (width,), g1, s1, 1e-5), wqkv)
            h = x + torch.addmm(bo, attend(qkv), wo)
            return h + torch.addmm(b2, up(b1, F.layer_norm(h, (width,), g2, s2, 1e-5), w1), w2)
        return block

    return Peers(make, call(lambda b, x, w: F.gelu(torch.addmm(b, x, w), approximate="tanh")),
                 call(lambda b, x, w: torch._addmm_activation(b, x, w, use_gelu=True)))


# ----------------------------------------------------------------------------
# Answers
# ----------------------------------------------------------------------------

KINDS = {function.__name__: function for function in (
    pointwise, softmax, layer_norm, masked_softmax, scores, linear, linear_f8, norm_linear, gate, geglu, lora, mlp,
    two_layers, dlrm, attention, two_scores, project, norm_mlp, gpt2)}


def compiled(call, mode):
    torch._dynamo.reset()
    return torch.compile(call, dynamic=False, fullgraph=True, **({"mode": mode} if mode else {}))


def sets_of(make, is_hot):
    first = make()
    count = 1 if is_hot or DEVICE == "cpu" else timing.count_of_sets(2 * timing.bytes_of(first))
    return [first] + [make() for _ in range(count - 1)]


def settle():
    """Waits for what still runs."""
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def clean():
    """Gives back what nobody holds: the memory is others', too."""
    gc.collect()
    if DEVICE == "cuda":
        torch.cuda.empty_cache()


def time_all(request):
    """Microseconds of everything that was asked for, by state."""
    torch.backends.cuda.matmul.allow_tf32 = request["parameters"].get("precision") == "tf32"
    is_hot = request.get("cache") == "hot"
    answer = {state: {"peers": {}} for state in request["states"]}
    errors = {}

    def put(name, measure):
        for state in request["states"]:
            try:
                answer[state]["peers"][name] = measure(state)
            except Exception as error:
                errors[name] = f"{type(error).__name__}: {error}".split("\n")[0][:200]
                settle()
                return

    def time_torch(names):
        peers = KINDS[request["kind"]](request["parameters"], TYPES[request["element"]])
        sets = sets_of(peers.make, is_hot)
        # What is compiled is compiled once.
        find_way = functools.cache(lambda name: way_of(name, peers))
        for name in names:
            if not getattr(peers, name, True):
                continue
            put(name, lambda state, name=name: timing.microseconds(find_way(name), sets, state, DEVICE))

    time_torch(request["peers"])
    return {"states": answer, "errors": errors}


def way_of(name, peers):
    if name == "triton":
        import triton_rows
        return triton_rows.make(*peers.triton)
    if name == "flex":
        return compiled(peers.flex(), None)
    if name in ("compile", "tuned"):
        return compiled(peers.eager, "max-autotune-no-cudagraphs" if name == "tuned" else None)
    return getattr(peers, name)


def main():
    torch.manual_seed(0)
    name = "cpu"
    if DEVICE == "cuda":
        name = torch.cuda.get_device_name()
    else:
        torch.set_num_threads(host.count_of_threads())
    # What libraries print does not belong between the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    print(json.dumps({"torch": torch.__version__, "device": name}), file=answers, flush=True)
    for line in sys.stdin:
        try:
            with torch.no_grad():
                answer = time_all(json.loads(line))
        except Exception as error:
            answer = {"states": {}, "errors": {"all": f"{type(error).__name__}: {error}".split("\n")[0][:300]}}
        print(json.dumps(answer), file=answers, flush=True)
        clean()


if __name__ == "__main__":
    main()
