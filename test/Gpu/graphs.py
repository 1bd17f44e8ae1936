"""The workloads of docs/examples at other sizes.

An example names its types, one a line (`!x = tensor<4096x4096xbf16>`). A family
says of each name what its dimensions are in letters, so the graph itself is the
example's.
"""

import os
import re

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "examples")


def example(name):
    with open(os.path.join(EXAMPLES, name + ".mlir")) as file:
        return file.read()


def resize(text, types, replacements=()):
    """`text` with other sizes: `types` is from the name of a type to its sizes."""
    for name, sizes in types.items():
        shape = "".join(f"{size}x" for size in sizes)
        text, count = re.subn(rf"^!{name} = tensor<(?:[\d?]+x)+", f"!{name} = tensor<{shape}", text, flags=re.M)
        if count != 1:
            raise ValueError(f"type !{name} is there {count} times, but was expected once")
    for old, new in replacements:
        if old not in text:
            raise ValueError(f"'{old}' is not in the graph")
        text = text.replace(old, new)
    return text


class Family:
    """A workload of any size.

    `types` gives the letters of each type's sizes, `replacements` what else has to be
    changed; in both a `2N` is two times N. `most` bounds sizes that cost much.
    """

    def __init__(self, name, workload, letters, types, replacements=(), inputs=(), most=None):
        self.name, self.workload, self.letters = name, workload, letters
        self.types = {key: value.split() for key, value in types.items()}
        self.replacements, self.inputs, self.most = replacements, inputs, most or {}

    def work(self, sizes):
        """About how many steps a reference takes."""
        steps = 1
        for letter in self.letters:
            steps *= sizes[letter]
        return steps * (sizes.get("S", 1) if "D" in self.letters else 1)

    def graph(self, sizes):
        def value(term):
            if term.isdigit():
                return int(term)
            factor = int(term[:-1] or 1)
            return factor * sizes[term[-1]]

        types = {name: [value(term) for term in terms] for name, terms in self.types.items()}
        replacements = [(old, re.sub(r"\{(\w+)\}", lambda match: str(value(match[1])), new))
                        for old, new in self.replacements]
        if "D" in self.letters:
            replacements.append((re.search(r"%scale = arith.constant (dense<[\d.]+>)", example(self.workload))[1],
                                 f"dense<{sizes['D'] ** -0.5!r}>"))
        return resize(example(self.workload), types, replacements)


def linear(name, workload, has_acc=True):
    types = {"x": "M K", "w": "K N", "b": "N", "y": "M N"}
    if has_acc:
        types["acc"] = "M N"
    return Family(name, workload, "MNK", types)


def gate(name, workload, half, types):
    replacements = [(f"0:{half}]", "0:{N}]"), (f"{half}:{2 * half}]", "{N}:{2N}]")]
    return Family(name, workload, "MNK", {"x": "M K", "w": "K 2N", **types}, replacements)


def heads(name, workload, types, most_tokens=1000):
    """Attention: S tokens, D features. Many heads take the reference much memory."""
    return Family(name, workload, "SD", types, most={"D": 257, "S": most_tokens})


FAMILIES = [
    linear("linear_f16", "M3"),
    linear("linear_bf16", "M2"),
    linear("linear_f32", "M4i", False),
    linear("linear_tf32", "M4", False),
    linear("linear_tf32x3", "M4i_tf32x3", False),
    linear("linear_f8", "M5"),
    Family("norm_linear_gelu", "L1", "MNK",
           {"x": "M K", "xf": "M K", "k": "K", "w": "K N", "b": "N", "acc": "M N", "y": "M N"},
           inputs=["--input=w=uniform:-1:1"]),
    gate("gate_tf32", "G1", 2048, {"c": "M 2N", "y": "M N"}),
    gate("gate_f32", "G1i", 2048, {"c": "M 2N", "y": "M N"}),
    gate("gate_bf16", "G2", 14336, {"c": "M 2N", "acc": "M N", "y": "M N"}),
    gate("geglu", "G3", 11008, {"b": "2N", "z": "M 2N", "acc": "M N", "y": "M N"}),
    Family("lora", "D3", "MNK",
           {"x": "M K", "w": "K N", "down": "K 16", "up": "16 N", "b": "N", "low": "M 16", "lowacc": "M 16",
            "acc": "M N", "y": "M N"}),
    Family("mlp", "F1", "MNK",
           {"x": "M K", "w1": "K N", "w2": "N 17", "h": "M N", "hf": "M N", "acc": "M 17", "y": "M 17"}),
    heads("attention_bf16", "A3",
          {"q": "2 3 S D", "kt": "2 3 D S", "s": "2 3 S S", "probs": "2 3 S S", "ij": "2 3 S S",
           "keep": "2 3 S S", "acc": "2 3 S D"}),
    heads("attention_full", "A5",
          {"q": "2 1 S D", "kt": "2 1 D S", "s": "2 1 S S", "probs": "2 1 S S", "acc": "2 1 S D"}, 4099),
    heads("attention_padded", "A3p",
          {"q": "3 2 S D", "kt": "3 2 D S", "s": "3 2 S S", "probs": "3 2 S S", "ij": "3 2 S S",
           "keep": "3 2 S S", "pad": "3", "acc": "3 2 S D"}),
    heads("attention_f32", "A2",
          {"q": "S D", "kt": "D S", "s": "S S", "ij": "S S", "keep": "S S"}, 4099),
    Family("softmax_f32", "R1", "MN", {"x": "M N"}),
    Family("softmax_bf16", "R2", "MN", {"x": "M N", "f": "M N"}),
    Family("softmax_masked", "R4", "S", {"x": "S S", "ij": "S S", "keep": "S S"}),
    Family("layer_norm", "R3", "MN", {"x": "M N", "f": "M N", "n": "N"}),
    Family("rms_norm", "R3rms", "MN", {"x": "M N", "f": "M N", "n": "N"}),
    Family("pointwise_relu", "P1", "MN", {"x": "M N", "b": "N"}),
    Family("pointwise_sigmoid", "P3b", "MN", {"x": "M N", "b": "N"}),
]
