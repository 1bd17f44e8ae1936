"""Graphs of kinds that surveyed.py has, and of attention, with sizes that are drawn: what nobody has looked at before.

The same seed draws the same graphs.
"""

import random

import surveyed

WIDTHS = (192, 320, 384, 512, 640, 768, 896, 1024, 1152, 1280, 1536, 1600, 1792, 2048, 2304, 2560, 2880, 3072, 3584, 4096, 5120,
          6144, 7168, 8192)
ROWS = (1, 2, 5, 16, 24, 48, 96, 160, 200, 257, 384, 500, 640, 1000, 1536, 2000, 2560, 3000, 5000, 6000, 8000, 10000, 20000)
# Rows of these begin within lines or words of memory.
ODD = (50, 77, 100, 300, 333, 500, 777, 1000, 1111, 2000, 2500, 3000, 5000, 6000)
EXTENTS = (2, 3, 5, 8, 12, 16, 24, 31, 32, 49, 64, 77, 100, 128, 196, 197, 256, 300, 384, 500, 512, 768, 1000, 1024, 2048, 4096)
# Operations of a product, elements of a tensor, and scores times features of attention: the most that are drawn.
MOST = {"linear": 3e11, "layers": 1e11, "scored": 5e10, "f32": 2e10, "batched": 2e10, "elements": 5e7, "attention": 8e10}


def attention(batch, heads, queries, keys, width, kind):
    def write(g):
        q, k, v = (g.input(name, "bf16", (batch * heads, length, width))
                   for name, length in (("x", queries), ("k", keys), ("v", keys)))
        scores = g.matmul(q, g.transpose(k, [0, 2, 1])) * width ** -0.5
        if kind == "causal":
            row, column = (g.op(f"fuse.iota dim {dim} : {{result}}", "i32", scores.shape) for dim in (1, 2))
            scores = g.select(g.compare("le", column, row), scores, g.full(float("-inf"), scores))
        if kind == "bias":
            scores = scores + g.broadcast(g.input("t", "f32", (queries, keys)), [1, 2], like=scores)
        g.output(g.matmul(g.softmax(scores, 2).cast("bf16"), v).cast("bf16"))

    mask = {"causal": ", is_causal=True", "bias": ", attn_mask=t.to(x.dtype)", "none": ""}[kind]
    views = ", ".join(f"{name}.view({batch}, {heads}, -1, {width})" for name in "xkv")
    surveyed.add(f"attention_{kind}_{batch}x{heads}x{queries}x{keys}x{width}", write,
                 f"F.scaled_dot_product_attention({views}{mask}).view({batch * heads}, -1, {width})",
                 (2 if kind == "causal" else 4) * batch * heads * queries * keys * width, "bf16")


class Drawing:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.choice = self.random.choice

    def until(self, draw, fits):
        """Draws again until what is drawn fits."""
        while True:
            drawn = draw()
            if fits(drawn):
                return drawn

    def sizes(self, most="layers", widths=WIDTHS):
        """Rows, terms and columns of a product."""
        return self.until(lambda: (self.choice(ROWS), self.choice(widths), self.choice(widths)),
                          lambda sizes: 2 * sizes[0] * sizes[1] * sizes[2] < MOST[most])

    def shape(self, rank):
        most = MOST["elements"]
        return self.until(lambda: tuple(self.choice(EXTENTS) for _ in range(rank)),
                          lambda shape: most / 8 < surveyed.volume(shape) < most)

    def layout(self):
        return self.choice(("kn", "nk"))

    def element(self):
        return self.choice(("f32", "bf16"))

    def products(self):
        for _ in range(30):
            surveyed.linear(*self.sizes("linear"), self.choice(("bf16", "f16")),
                            self.choice(("none", "none", "relu", "gelu", "silu")), layout=self.layout(),
                            residual=self.random.random() < 0.2)
        for _ in range(12):
            surveyed.linear(*self.sizes(widths=ODD), "bf16", self.choice(("none", "relu", "gelu")), layout=self.layout())
        for _ in range(12):
            surveyed.linear(*self.sizes("f32", WIDTHS + ODD), "f32", "none", layout=self.layout())
        for _ in range(6):
            surveyed.linear(*self.sizes(), "f32", "none", precision="tf32", layout=self.layout())
        for _ in range(10):
            sizes = self.until(lambda: (
                self.choice((4, 12, 16, 24, 64, 96, 128, 200)), self.choice((1, 16, 50, 64, 128, 197, 256, 500, 512, 1024)),
                self.choice((32, 48, 64, 80, 96, 128, 256, 500, 512, 1024)),
                self.choice((32, 50, 64, 96, 128, 197, 256, 512, 1024))),
                lambda sizes: surveyed.volume(sizes) < MOST["batched"])
            few = surveyed.volume(sizes) < MOST["batched"] / 10
            surveyed.batched(*sizes, self.choice(("bf16", "bf16", "f32")) if few else "bf16", self.layout())

    def layers(self):
        for _ in range(7):
            surveyed.gate(*self.sizes())
        for _ in range(4):
            surveyed.quantized(*self.sizes())
        for _ in range(7):
            surveyed.norm_linear(*self.sizes())
        for _ in range(7):
            rows, width, hidden = self.sizes()
            surveyed.two_layers(rows, width, hidden, width)
        for _ in range(4):
            surveyed.low_rank(*self.sizes(), self.choice((4, 8, 16, 32, 64)))
        for _ in range(3):
            surveyed.distance(self.choice(ROWS[6:]), self.choice((100, 500, 777, 2048)), self.choice((16, 32, 100, 128, 200)),
                              self.element())
        for _ in range(4):
            surveyed.scored(*self.sizes("scored"), self.choice(("softmax", "logsumexp")))

    def rows(self):
        for _ in range(16):
            shape = self.shape(self.choice((2, 3, 3, 4)))
            count = self.choice((1, 1, 2)) if len(shape) > 2 else 1
            dims = sorted(self.random.sample(range(len(shape)), count))
            surveyed.reduction(self.choice(("sum", "mean", "max", "variance", "logsumexp")), shape, dims, self.element())
        for _ in range(10):
            shape = self.shape(self.choice((2, 3, 4)))
            last = len(shape) - 1
            surveyed.softmax(shape, self.choice((last, last, self.random.randrange(len(shape)))), self.element())
        for _ in range(6):
            surveyed.row_times_matrix(self.choice(ROWS[4:] + ODD), self.choice(WIDTHS + ODD), self.choice((0, 1)), self.element())
        for _ in range(4):
            surveyed.group_norm(self.choice((1, 2, 4, 8, 16)), self.choice((128, 320, 512, 640, 1280)), 32,
                                self.choice((64, 196, 1024, 4096)), self.element())
        for _ in range(5):
            surveyed.batch_norm(self.choice((16, 32, 64, 256)), self.choice((64, 128, 256, 1024)),
                                self.choice((49, 196, 784, 3136)), self.element())
        for _ in range(4):
            surveyed.residual_norm(self.choice(ROWS), self.choice(WIDTHS))
        for _ in range(3):
            surveyed.loss(self.choice((64, 512, 1000, 5000, 20000)), self.choice((100, 1000, 5000, 32000, 50257)))

    def moves(self):
        for _ in range(6):
            shape = self.shape(self.choice((2, 3, 4)))
            surveyed.transpose(shape, self.random.sample(range(len(shape)), len(shape)), self.element())
        for _ in range(3):
            surveyed.scale_shift(self.choice((8, 32, 64)), self.choice((3, 64, 256)),
                                 *self.choice(((7, 7), (14, 14), (28, 28), (56, 56))), self.element())
        for _ in range(2):
            surveyed.split_gate(self.choice(ROWS), self.choice(WIDTHS))

    def attentions(self):
        for _ in range(4):
            surveyed.rotary_attention(self.choice((77, 200, 512, 1000, 2000, 3000)),
                                      *self.choice(((8, 2), (16, 4), (32, 8), (12, 1))), self.choice((64, 96, 128)))
        for _ in range(14):
            def draw():
                queries = self.choice((1, 16, 77, 128, 197, 512, 577, 1000, 1500, 2048, 4096))
                return (self.choice((1, 2, 4, 16, 32)), self.choice((8, 12, 16, 32)), queries,
                        self.choice((queries,) * 3 + (77, 1024, 2000, 4096, 8192)), self.choice((32, 64, 64, 80, 96, 128, 128)))
            sizes = self.until(draw, lambda sizes: surveyed.volume(sizes) < MOST["attention"])
            kinds = ("causal", "none", "bias") if sizes[2] == sizes[3] else ("none", "none", "bias")
            attention(*sizes, self.choice(kinds))


def register(seed):
    """What is known is what a seed draws."""
    surveyed.KNOWN.clear()
    drawing = Drawing(seed)
    for draw in (drawing.products, drawing.layers, drawing.rows, drawing.moves, drawing.attentions):
        draw()
