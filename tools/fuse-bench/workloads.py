"""What fuse-bench can time: the workloads of docs/examples, attention of other kinds, and linear layers of any size.

A workload is a graph for fuse and, for its peers, a kind with parameters. Needs
nothing but Python, since both sides read it.
"""

import os
import re
from dataclasses import dataclass, field

import attention as graphs

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "examples")


@dataclass
class Workload:
    id: str
    types: str
    shape: str
    # What peers compute, and with what parameters; none for a graph that only fuse knows.
    kind: str = ""
    parameters: dict = field(default_factory=dict)
    # The graph: an example's name, or the text itself; with neither the kind's, of these parameters.
    example: str = ""
    text: str = ""
    # An Image, instead of a graph.
    path: str = ""
    # Sizes of arguments that have none of their own.
    shapes: list = field(default_factory=list)

    def graph(self):
        if self.example and not self.text:
            with open(os.path.join(EXAMPLES, self.example + ".mlir")) as file:
                return file.read()
        return graphs.GRAPHS[self.kind](self.parameters, self.types) if self.is_made() else self.text

    def is_made(self):
        """Whether its graph follows from its parameters."""
        return self.kind in graphs.GRAPHS and not self.text and not self.example

    def kept(self):
        """Which share of its scores its mask keeps, on the average of its paddings; all that is known of."""
        p = self.parameters
        mask = {"scores": "padded", "gpt2": "causal"}.get(self.kind) or p.get("mask", "none")
        if mask == "none":
            return 1
        queries = p.get("S") or p["tokens"]
        keys = p.get("T", queries)
        # As the examples fill them.
        paddings = [0] if mask != "padded" else range(513) if p.get("B", 1) > 1 else [5]
        # A query sees one key more than the one before, until it sees as many as the window has, or as there are.
        rows = [(queries - padding, min(p.get("window", keys), keys - padding, queries - padding)) for padding in paddings]
        return sum(most * (most + 1) // 2 + (n - most) * most for n, most in rows) / len(rows) / (queries * keys)


def known():
    """All workloads that have an id, in the order of the tables."""
    made = [
        pointwise("P1", "relu", 128, 512),
        pointwise("P2", "relu", 16384, 8192),
        pointwise("P3", "lora_relu", 16384, 8192),
        pointwise("P3b", "lora_sigmoid", 16384, 8192),
        rows("R1", "softmax", "f32", 1823, 781),
        rows("R2", "softmax", "bf16", 8192, 8192),
        rows("R3", "layer_norm", "bf16", 8192, 4096),
        rows("R4", "masked_softmax", "f32", 1024, 1024),
        linear("M1", "bf16", 8192, 8192, 8192),
        linear("M2", "bf16", 4096, 4096, 4096),
        linear("M3", "f16", 1024, 4096, 1024),
        linear("M4", "f32", 4096, 4096, 4096, precision="tf32"),
        linear("M4i", "f32", 4096, 4096, 4096),
        linear("M4i_tf32x3", "f32", 4096, 4096, 4096),
        linear("M5", "f8", 8192, 8192, 8192),
        linear("L1", "f16", 1024, 4096, 1024, kind="norm_linear"),
        linear("L2", "bf16", 8192, 16384, 4096, kind="norm_linear"),
        linear("G1", "f32", 1024, 2048, 2048, kind="gate", precision="tf32"),
        linear("G1i", "f32", 1024, 2048, 2048, kind="gate"),
        linear("G1i_tf32x3", "f32", 1024, 2048, 2048, kind="gate"),
        linear("G2", "bf16", 8192, 14336, 4096, kind="gate"),
        linear("G3", "bf16", 8192, 11008, 4096, kind="geglu"),
        Workload("A1", "f32", "1024x1024 @ 1024x64", "scores", {"S": 1024, "D": 64}, "A1"),
        attention("A2", "f32", 1, 1, 1024, 64, "padded", example="A2"),
        attention("A3", "bf16", 16, 16, 1024, 64, "causal", example="A3"),
        attention("A3p", "bf16", 16, 16, 1024, 64, "padded", example="A3p"),
        attention("A3_long", "bf16", 4, 16, 4096, 64, "causal"),
        attention("A4", "bf16", 2, 16, 8192, 128, "causal", example="A4"),
        *(attention_variant(name) for name in graphs.VARIANTS),
        attention("A5", "bf16", 2, 16, 8192, 128, "none", example="A5"),
        attention("X_cross", "bf16", 8, 16, 1024, 64, "none", T=1500),
        Workload("X_two_scores", "bf16", "2x16x4096x64", "two_scores", {"B": 2, "H": 16, "S": 4096, "D": 64}),
        Workload("X_project", "bf16", "8192x1024-2048-1024-1024", "project", {"M": 8192, "K": 1024, "H": 2048, "N": 1024}),
        Workload("X_norm_mlp", "bf16", "8192x1024-4096-1024", "norm_mlp", {"M": 8192, "K": 1024, "H": 4096}),
    ]
    for name, widths, last in (("D1", [13, 512, 256, 64, 16], "none"), ("D2", [512, 256, 1], "sigmoid")):
        made += [mlp(name, element, batch, widths, last) for element in ("f32", "f16") for batch in (128, 2048, 65536)]
        made.append(mlp(name, "tf32x3", 65536, widths, last))
    made.append(linear("D3", "bf16", 4096, 4096, 4096, kind="lora"))
    made += [dlrm("f32", 128), dlrm("f32", 2048), dlrm("tf32x3", 2048)]
    made += [block(batch, element) for element in ("f16", "bf16") for batch in (1, 16)]
    made.append(Workload("F1", "bf16", "135168x128-4096-128", "two_layers", {"M": 135168, "K": 128, "H": 4096, "N": 128},
                         "F1"))
    return {workload.id: workload for workload in made}


def pointwise(name, kind, m, n):
    return Workload(name, "f32", f"{m}x{n}", "pointwise", {"function": kind, "M": m, "N": n}, name)


def rows(name, kind, element, m, n):
    return Workload(name, element, f"{m}x{n}", kind, {"M": m, "N": n}, name)


def linear(name, element, m, n, k, kind="linear", precision="ieee"):
    times = "2x" if kind in ("gate", "geglu") else ""
    kind = "linear_f8" if element == "f8" else kind
    # What multiplies by parts is to be as exact as f32, so that others compute in f32 beside it.
    example = name.removesuffix("_tf32x3")
    said = "tf32x3" if name != example else element if precision == "ieee" else precision
    return Workload(name, said, f"{m}x{k}->{times}{n}", kind, {"M": m, "N": n, "K": k, "precision": precision}, example,
                    with_precision(example, said))


def attention(name, element, batch, heads, tokens, features, mask, example="", **others):
    p = {"B": batch, "H": heads, "KV": heads, "S": tokens, "T": tokens, "D": features, "mask": mask, **others}
    queries, keys = (f"{batch}x{p[count]}x{p[extent]}x{features}" for count, extent in (("H", "S"), ("KV", "T")))
    return Workload(name, element, queries if queries == keys else f"{queries} on {keys}", "attention", p, example)


def attention_variant(name):
    p = {**graphs.A4, **graphs.VARIANTS[name]}
    return attention("A4_" + name, *(p.pop(key) for key in ("element", "B", "H", "S", "D", "mask")), **p)


def mlp(name, element, batch, widths, last):
    example = name + ("_f16" if element == "f16" else "")
    return Workload(f"{name}_{batch}_{element}", element, f"batch {batch}, {'-'.join(map(str, widths))}", "mlp",
                    {"batch": batch, "widths": widths, "last": last}, example, with_precision(example, element),
                    shapes=[f"x:{batch}x{widths[0]}"])


def dlrm(element, batch):
    name = f"D4_{batch}" + ("" if element == "f32" else "_" + element)
    return Workload(name, element, f"batch {batch}", "dlrm", {"batch": batch}, "D4", with_precision("D4", element),
                    shapes=[f"x:{batch}x13", f"ids:{batch}x26"])


def with_precision(example, element):
    """The text of an example whose products are all to be of the precision `tf32x3`; none for those that are as they are."""
    if element != "tf32x3":
        return ""
    with open(os.path.join(EXAMPLES, example + ".mlir")) as file:
        return re.sub(r"(= fuse\.matmul [^:\n]*?) :", r"\1 precision tf32x3 :", file.read())


def block(batch, element):
    name = f"T1_{batch}_{element}"
    parameters = {"batch": batch, "tokens": 1024, "width": 768, "heads": 12}
    if batch == 1:
        return Workload(name, element, "1x1024x768", "gpt2", parameters, "T1" if element == "f16" else "T1_bf16")
    return Workload(name, element, f"{batch}x1024x768", "gpt2", parameters, text=batched_block(batch, element))


def batched_block(batch, element):
    """The graph of T1 with sequences side by side: its rows are all tokens of all of them."""
    tokens, width, heads = 1024, 768, 12
    features, rows_ = width // heads, batch * tokens
    types = {
        "x": f"{rows_}x{width}x{element}", "xf": f"{rows_}x{width}xf32", "vec": f"{width}xf32",
        "wqkv": f"{width}x{3 * width}x{element}", "bqkv": f"{3 * width}xf32", "qkv": f"{rows_}x{3 * width}x{element}",
        "qkvf": f"{rows_}x{3 * width}xf32", "seq": f"{batch}x{tokens}x{width}x{element}",
        "split": f"{batch}x{tokens}x{heads}x{features}x{element}", "head": f"{batch}x{heads}x{tokens}x{features}x{element}",
        "headf": f"{batch}x{heads}x{tokens}x{features}xf32", "kt": f"{batch}x{heads}x{features}x{tokens}x{element}",
        "s": f"{batch}x{heads}x{tokens}x{tokens}xf32", "probs": f"{batch}x{heads}x{tokens}x{tokens}x{element}",
        "ij": f"{batch}x{heads}x{tokens}x{tokens}xi32", "keep": f"{batch}x{heads}x{tokens}x{tokens}xi1",
        "wo": f"{width}x{width}x{element}", "w1": f"{width}x{4 * width}x{element}", "b1": f"{4 * width}xf32",
        "mid": f"{rows_}x{4 * width}x{element}", "midf": f"{rows_}x{4 * width}xf32", "w2": f"{4 * width}x{width}x{element}",
    }
    with open(os.path.join(EXAMPLES, "T1.mlir")) as file:
        text = file.read()
    signature = text[text.index("func.func"):text.index("  // The first norm")]
    aliases = "".join(f"!{name} = tensor<{shape}>\n" for name, shape in types.items())
    thirds = "".join(f"""
  %{name}_third = fuse.slice %qkv[:, {part * width}:{(part + 1) * width}] : !qkv
  %{name}_seq = fuse.expand %{name}_third dim 0 into [{batch}, {tokens}] : !x
  %{name}_split = fuse.expand %{name}_seq dim 2 into [{heads}, {features}] : !seq
  %{name} = fuse.transpose %{name}_split {order} : !split""" for part, (name, order) in enumerate(
        (("q", "[0, 2, 1, 3]"), ("kt", "[0, 2, 3, 1]"), ("v", "[0, 2, 1, 3]"))))
    return aliases + signature + f"""
  %x_wide = arith.extf %x : !x to !xf
  %n1_wide = fuse.layer_norm %x_wide scale %g1 shift %be1 eps 1.0e-5 : !xf, !vec, !vec
  %n1 = arith.truncf %n1_wide : !xf to !x
  %qkv_product = fuse.matmul %n1, %wqkv : !x, !wqkv -> !qkvf
  %qkv_bias = fuse.broadcast %bqkv dims [1] : !bqkv -> !qkvf
  %qkv_wide = arith.addf %qkv_product, %qkv_bias : !qkvf
  %qkv = arith.truncf %qkv_wide : !qkvf to !qkv
{thirds}
  %i = fuse.iota dim 2 : !ij
  %j = fuse.iota dim 3 : !ij
  %keep = arith.cmpi sle, %j, %i : !ij
  %scores = fuse.matmul %q, %kt : !head, !kt -> !s
  %scale = arith.constant dense<{features ** -0.5!r}> : !s
  %scaled = arith.mulf %scores, %scale : !s
  %never = arith.constant dense<0xFF800000> : !s
  %masked = arith.select %keep, %scaled, %never : !keep, !s
  %softmax = fuse.softmax %masked dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %o_wide = fuse.matmul %probs, %v : !probs, !head -> !headf
  %o_heads = arith.truncf %o_wide : !headf to !head
  %o_split = fuse.transpose %o_heads [0, 2, 1, 3] : !head
  %o_seq = fuse.collapse %o_split dims [2, 3] : !split
  %o = fuse.collapse %o_seq dims [0, 1] : !seq
""" + text[text.index("  %o_product = "):]


LINEAR = """// A linear layer with bias and gelu.
!x = tensor<{m}x{k}x{element}>
!w = tensor<{stored}x{element}>
!kn = tensor<{k}x{n}x{element}>
!b = tensor<{n}xf32>
!acc = tensor<{m}x{n}xf32>
!y = tensor<{m}x{n}x{element}>

func.func @linear_gelu(
    %x: !x {{fuse.name = "x"}},
    %w: !w {{fuse.name = "w", fuse.fill = #fuse.fill<normal, 0, {scale:.6f}>}},
    %b: !b {{fuse.name = "b"}}) -> !y {{
{transposed}  %product = fuse.matmul %x, {factor} : !x, !kn -> !acc
  %bias = fuse.broadcast %b dims [1] : !b -> !acc
  %sum = arith.addf %product, %bias : !acc
  %gelu = fuse.gelu tanh %sum : !acc
  %y = arith.truncf %gelu : !acc to !y
  return %y : !y
}}
"""


def linear_gelu(m, n, k, layout, element="bf16"):
    """A linear layer of any size, its weight stored as [K,N] or as [N,K]."""
    is_kn = layout == "kn"
    text = LINEAR.format(m=m, n=n, k=k, element=element, stored=f"{k}x{n}" if is_kn else f"{n}x{k}", scale=k ** -0.5,
                         transposed="" if is_kn else "  %wt = fuse.transpose %w [1, 0] : !w\n",
                         factor="%w" if is_kn else "%wt")
    return Workload(f"linear_{m}_{n}_{k}_{layout}", element, f"{m}x{k}->{n}", "linear",
                    {"M": m, "N": n, "K": k, "activation": "gelu", "layout": layout, "precision": "ieee"}, text=text)


GRID_M = (1, 16, 64, 128, 512, 1024, 4096)
GRID_NK = (64, 768, 1000, 3072, 4096, 11008, 50257)


# A weight of 50257 x 50257 would take minutes to make.
GRID_MOST = 1 << 30


def grid(ms=GRID_M, nks=GRID_NK, count=60):
    """`count` of the sizes that the lists span, each in both layouts.

    They are taken from Latin squares: any two of M, N and K soon stand together in
    all ways, and every size about as often as any other.
    """
    longest = max(len(ms), len(nks))
    made = []
    for shift in range(longest):
        for i in range(longest):
            for j in range(longest):
                m, n, k = ms[i % len(ms)], nks[j % len(nks)], nks[(i + 2 * j + shift) % len(nks)]
                if n * k <= GRID_MOST and (m, n, k) not in made:
                    made.append((m, n, k))
    return [linear_gelu(m, n, k, layout) for m, n, k in made[:count] for layout in ("kn", "nk")]
