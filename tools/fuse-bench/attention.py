"""Graphs of attention and of what is like it, as plain ops and for any parameters, as docs/examples writes them.

An attention has B sequences and H heads, and S queries of D features on T keys; each of the KV heads of keys and values
is shared by H / KV heads of queries. Of a score it keeps, by its `mask`, all (`none`), those of keys that do not come after
the query (`causal`), the last `window` of these, or those of the query's `segment`. Before that `cap` bounds scores by a
tanh, and `bias` adds a slope of the head times the distance (`alibi`).
"""

import re

# A4, and what others have in its place.
A4 = {"element": "bf16", "B": 2, "H": 16, "S": 8192, "D": 128, "mask": "causal"}
VARIANTS = {
    "gqa": {"B": 1, "H": 32, "KV": 8},
    "window": {"mask": "window", "window": 1024},
    "alibi": {"bias": "alibi"},
    "softcap": {"cap": 30},
    "segment": {"mask": "segment"},
    # Heads side by side are as wide as in A4, or nearly so.
    "d32": {"H": 64, "D": 32},
    "d64": {"H": 32, "D": 64},
    "d96": {"H": 21, "D": 96},
    "d256": {"H": 8, "D": 256},
    "f16": {"element": "f16"},
    # A prime number.
    "odd": {"S": 8111},
    **{f"q{count}": {"S": count, "T": 8192, "mask": "none"} for count in (1, 16, 197, 1000)},
}


def is_plain(p):
    """Whether every library for attention has it: scores stay as they are, all of them or what is causal."""
    return p["mask"] in ("none", "causal") and not p.get("bias") and not p.get("cap")


def module(name, types, arguments, result, body):
    """One function; of each argument there are its type and how it is filled. Of the types those are named that it has."""
    filled = ",".join(f'\n    %{argument}: !{alias} {{fuse.name = "{argument}"'
                      + (f", fuse.fill = #fuse.fill<{fill}>" if fill else "") + "}"
                      for argument, (alias, fill) in arguments.items())
    function = f"func.func @{name}({filled}) -> !{result} {{{body}\n}}\n"
    used = set(re.findall(r"!(\w+)", function))
    aliases = (f"!{alias} = tensor<{'x'.join(map(str, shape))}>\n" for alias, shape in types.items() if alias in used)
    return "".join(aliases) + "\n" + function


CAUSAL = """
  %i = fuse.iota dim {row} : !ij
  %j = fuse.iota dim {column} : !ij
  %causal = arith.cmpi sle, %j, %i : !ij"""

WINDOW = """
  %window = arith.constant dense<{window}> : !ij
  %end = arith.addi %j, %window : !ij
  %near = arith.cmpi sgt, %end, %i : !ij
  %keep = arith.andi %causal, %near : !keep"""

SEGMENT = """
  %of_query = fuse.broadcast %segment dims [0, {row}] : !segment -> !ij
  %of_key = fuse.broadcast %segment dims [0, {column}] : !segment -> !ij
  %same = arith.cmpi eq, %of_query, %of_key : !ij
  %keep = arith.andi %causal, %same : !keep"""

# What a mask computes, and what it is called.
MASKS = {"causal": (CAUSAL, "%causal"), "window": (CAUSAL + WINDOW, "%keep"), "segment": (CAUSAL + SEGMENT, "%keep")}

SHARED = """
  %queries = fuse.expand %q dim 1 into [{kv}, {members}] : !q
  %keys = fuse.broadcast %k dims [0, 1, 3, 4] : !k -> !keys
  %values = fuse.broadcast %v dims [0, 1, 3, 4] : !k -> !keys"""

SCORES = """
  %kt = fuse.transpose {keys} {order} : !keys
  %scores = fuse.matmul {queries}, %kt : !queries, !kt -> !s
  %scale = arith.constant dense<{scale!r}> : !s
  %scaled = arith.mulf %scores, %scale : !s"""

CAP = """
  %cap = arith.constant dense<{cap:.1f}> : !s
  %relative = arith.divf {x}, %cap : !s
  %bounded = math.tanh %relative : !s
  %capped = arith.mulf %bounded, %cap : !s"""

ALIBI = """
  %distance = arith.subi %j, %i : !ij
  %distance_f = arith.sitofp %distance : !ij to !s
  %slopes = fuse.broadcast %slope dims [1] : !slope -> !s
  %bias = arith.mulf %slopes, %distance_f : !s
  %biased = arith.addf {x}, %bias : !s"""

MASKED = """
  %never = arith.constant dense<0xFF800000> : !s
  %masked = arith.select {keep}, {x}, %never : !keep, !s"""

OUTPUT = """
  %softmax = fuse.softmax {x} dim {column} : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, {values} : !probs, !keys -> !acc
  {o} = arith.truncf %wide : !acc to !queries"""


def attention(p, element):
    batch, heads, kv, queries, keys, features = (p[name] for name in ("B", "H", "KV", "S", "T", "D"))
    is_shared = kv != heads
    outer = (batch, kv, heads // kv) if is_shared else (batch, heads)
    row, column = len(outer), len(outer) + 1
    types = {
        "q": (batch, heads, queries, features, element), "k": (batch, kv, keys, features, element),
        "queries": (*outer, queries, features, element), "keys": (*outer, keys, features, element),
        "kt": (*outer, features, keys, element), "s": (*outer, queries, keys, "f32"),
        "probs": (*outer, queries, keys, element), "ij": (*outer, queries, keys, "i32"),
        "keep": (*outer, queries, keys, "i1"), "acc": (*outer, queries, features, "f32"),
        "slope": (heads, "f32"), "segment": (batch, queries, "i32"),
    }
    arguments = {"q": ("q", "normal, 0, 1"), "k": ("k", "normal, 0, 1"), "v": ("k", "")}
    if p.get("bias"):
        arguments["slope"] = "slope", "uniform, 0, 0.5"
    if p["mask"] == "segment":
        arguments["segment"] = "segment", "integers, 0, 3"
    compute_mask, keep = MASKS.get(p["mask"], ("", None))
    # Each step goes on with what the one before has made.
    body, x = (SHARED if is_shared else "") + compute_mask + SCORES, "%scaled"
    for is_there, step, made in ((p.get("cap"), CAP, "%capped"), (p.get("bias"), ALIBI, "%biased"), (keep, MASKED, "%masked")):
        if is_there:
            body, x = body + step.replace("{x}", x), made
    body += OUTPUT.replace("{x}", x)
    if is_shared:
        body += "\n  %o = fuse.collapse %grouped dims [1, 2] : !queries"
    names = dict(zip(("queries", "keys", "values", "o"), ("%queries", "%keys", "%values", "%grouped") if is_shared else
                     ("%q", "%k", "%v", "%o")))
    body += "\n  return %o : !q"
    return module("attention", types, arguments, "q", body.format(
        **names, keep=keep, row=row, column=column, order=[*range(row), column, row], kv=kv, members=heads // kv,
        scale=features ** -0.5, window=p.get("window"), cap=p.get("cap") or 0))


TWO_SCORES = """
  %k1t = fuse.transpose %k1 [0, 1, 3, 2] : !q
  %k2t = fuse.transpose %k2 [0, 1, 3, 2] : !q
  %scores1 = fuse.matmul %q1, %k1t : !q, !kt -> !s
  %scores2 = fuse.matmul %q2, %k2t : !q, !kt -> !s
  %scale = arith.constant dense<{scale!r}> : !s
  %scaled1 = arith.mulf %scores1, %scale : !s
  %scaled2 = arith.mulf %scores2, %scale : !s
  %gate = fuse.sigmoid %scaled1 : !s
  %gated = arith.mulf %gate, %scaled2 : !s
  %softmax = fuse.softmax %gated dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !q -> !acc
  %o = arith.truncf %wide : !acc to !q
  return %o : !q"""


def two_scores(p, element):
    """Scores that others gate: softmax(sigmoid(q1 k1^T / sqrt(D)) * q2 k2^T / sqrt(D)) v."""
    batch, heads, tokens, features = (p[name] for name in ("B", "H", "S", "D"))
    outer = batch, heads
    types = {"q": (*outer, tokens, features, element), "kt": (*outer, features, tokens, element),
             "s": (*outer, tokens, tokens, "f32"), "probs": (*outer, tokens, tokens, element),
             "acc": (*outer, tokens, features, "f32")}
    arguments = {**{name: ("q", "normal, 0, 1") for name in ("q1", "k1", "q2", "k2")}, "v": ("q", "")}
    return module("gated_scores", types, arguments, "q", TWO_SCORES.format(scale=features ** -0.5))


PROJECT = """
  %scores = fuse.matmul %x, %w : !x, !w -> !s
  %softmax = fuse.softmax %scores dim 1 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %o_wide = fuse.matmul %probs, %v : !probs, !v -> !acc
  %o = arith.truncf %o_wide : !acc to !o
  %projected = fuse.matmul %o, %p : !o, !p -> !xf
  %x_wide = arith.extf %x : !x to !xf
  %sum = arith.addf %x_wide, %projected : !xf
  %y = arith.truncf %sum : !xf to !x
  return %y : !x"""


def project(p, element):
    """x + (softmax(x w) v) p."""
    m, k, h, n = (p[name] for name in ("M", "K", "H", "N"))
    types = {"x": (m, k, element), "xf": (m, k, "f32"), "w": (k, h, element), "s": (m, h, "f32"), "probs": (m, h, element),
             "v": (h, n, element), "acc": (m, n, "f32"), "o": (m, n, element), "p": (n, k, element)}
    # Of scores as large as these a few count, so that what is added is about as large as what it is added to.
    arguments = {"x": ("x", "normal, 0, 1"), "w": ("w", f"normal, 0, {3 * k ** -0.5:.4f}"), "v": ("v", "normal, 0, 1"),
                 "p": ("p", f"normal, 0, {n ** -0.5:.4f}")}
    return module("projected_attention", types, arguments, "x", PROJECT)


NORM_MLP = """
  %x_wide = arith.extf %x : !x to !xf
  %normed_wide = fuse.layer_norm %x_wide scale %gamma shift %beta eps 1.0e-5 : !xf, !k, !k
  %normed = arith.truncf %normed_wide : !xf to !x
  %product = fuse.matmul %normed, %w1 : !x, !w1 -> !acc
  %gelu = fuse.gelu tanh %product : !acc
  %hidden = arith.truncf %gelu : !acc to !hidden
  %wide = fuse.matmul %hidden, %w2 : !hidden, !w2 -> !xf
  %y = arith.truncf %wide : !xf to !x
  return %y : !x"""


def norm_mlp(p, element):
    """gelu(LayerNorm(x) w1) w2."""
    m, k, h = (p[name] for name in ("M", "K", "H"))
    types = {"x": (m, k, element), "xf": (m, k, "f32"), "k": (k, "f32"), "w1": (k, h, element), "acc": (m, h, "f32"),
             "hidden": (m, h, element), "w2": (h, k, element)}
    arguments = {"x": ("x", "normal, 1, 1"), "gamma": ("k", "uniform, 0.5, 1.5"), "beta": ("k", ""),
                 "w1": ("w1", f"normal, 0, {k ** -0.5:.4f}"), "w2": ("w2", f"normal, 0, {h ** -0.5:.4f}")}
    return module("norm_mlp", types, arguments, "x", NORM_MLP)


# By the kinds of workloads.
GRAPHS = {function.__name__: function for function in (attention, two_scores, project, norm_mlp)}
