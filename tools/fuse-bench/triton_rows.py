"""Kernels written by hand in Triton, one program for each row or block."""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, columns, block: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    at = tl.arange(0, block)
    values = tl.load(x + row + at, mask=at < columns, other=float("-inf")).to(tl.float32)
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(y + row + at, (powers / tl.sum(powers, 0)).to(y.dtype.element_ty), mask=at < columns)


@triton.jit
def layer_norm_kernel(x, g, b, y, columns, block: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    at = tl.arange(0, block)
    inside = at < columns
    values = tl.load(x + row + at, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(values, 0) / columns
    centred = tl.where(inside, values - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, 0) / columns + 1e-5)
    result = centred * scale * tl.load(g + at, mask=inside).to(tl.float32) + tl.load(b + at, mask=inside).to(tl.float32)
    tl.store(y + row + at, result.to(y.dtype.element_ty), mask=inside)


@triton.jit
def pointwise_kernel(x, y, b, z, count, columns, kind: tl.constexpr, block: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * block + tl.arange(0, block)
    inside = at < count
    value = tl.load(x + at, mask=inside)
    if kind != "relu":
        value += 0.5 * tl.load(y + at, mask=inside)
    value += tl.load(b + at % columns, mask=inside)
    value = tl.sigmoid(value) if kind == "lora_sigmoid" else tl.maximum(value, 0.0)
    tl.store(z + at, value, mask=inside)


def make(what, kind):
    def rows(x):
        block = triton.next_power_of_2(x.shape[1])
        return (x.shape[0],), block, min(max(block // 512, 4), 16)

    def softmax(x):
        y = torch.empty_like(x)
        grid, block, warps = rows(x)
        softmax_kernel[grid](x, y, x.shape[1], block=block, num_warps=warps)
        return y

    def layer_norm(x, g, b):
        y = torch.empty_like(x)
        grid, block, warps = rows(x)
        layer_norm_kernel[grid](x, g, b, y, x.shape[1], block=block, num_warps=warps)
        return y

    def pointwise(x, *others):
        z = torch.empty_like(x)
        block = 4096 if x.numel() > 1 << 20 else 512
        pointwise_kernel[(triton.cdiv(x.numel(), block),)](x, others[0], others[-1], z, x.numel(), x.shape[1], kind=kind,
                                                           block=block, num_warps=8)
        return z

    return {"softmax": softmax, "layer_norm": layer_norm, "pointwise": pointwise}[what]
