"""Simulates examples at small sizes at which their kernels have the forms that copy ahead, and then their threads.

At odd sizes rows begin anywhere, and hardly a kernel has a ring. So every case names a size, the least that gives the
forms, and the forms that its staged IR has to have: else a change of what is planned would take them out of the test
and nobody would see it. Sizes are numbers of the example and what stands for them, or types and their shapes.

    forms.py CHIP FOLDER_OF_EXAMPLES FOLDER_FOR_RESULTS
"""

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

SEEDS = 8

FORMS = {
    "ring": r"tile\.ring feed = cp_async",
    "engine": r"tile\.ring feed = tma",
    "roles": r"tile\.role load",
    "flight": r"tile\.dot_issue",
    "walks": r"\bwalks\b",
    "order": r"#tile\.order",
    "staged": r" staged \d",
    "shared": r" multicast\b",
    "pin": r"tile\.pin",
    "residents": r"\btile\.residents\b",
    "rounded": r" rounded\b",
    "parts": r"tile\.share = [248]\b",
    "collect": r"tile\.collect",
    "crews": r"\bcrews 2\b",
}


class Case(NamedTuple):
    """An example, what its sizes become, the forms that it has to have, and more arguments.

    Of loops that end where numbers in memory say, threads cannot be simulated.
    """

    example: str
    sizes: str
    forms: str
    arguments: tuple[str, ...] = ()
    has_known_loops: bool = True


TALL = "x=1536x72 w=72x768 b=768 acc=1536x768 y=1536x768"
GROUPS = "q=1x4x128x64 k=1x2x128x64 qg=1x2x2x128x64 kt=1x2x2x64x128 s=1x2x2x128x128 probs=1x2x2x128x128 " \
    "ij=1x2x2x128x128 keep=1x2x2x128x128 acc=1x2x2x128x64"
# 144 blocks, more than there are processors.
MANY = "--schedule=@linear_relu_0:parallel = [128, 64], sequential = [r72_0 = 32], warps = 8"
# 288 blocks, of which each crew has its own.
CREWS = "--schedule=@linear_relu_0:parallel = [64, 64], sequential = [r72_0 = 32], crews = 2"
BYTES_OF_CREWS = "--schedule=@scaled_linear_relu_0:parallel = [64, 64], sequential = [r1024_0 = 128], crews = 2"
# Four of 8 blocks together, which go through two slots four times.
FOURS = "--schedule=@linear_relu_0:parallel = [128, 64], sequential = [r256_0 = 32], warps = 8, stages = 2, cluster = [1, 4]"
# Many warps, of which fewer have a barrier to store by than there are; and blocks that share a processor.
SIXTEEN = "--schedule=@linear_relu_0:parallel = [256, 64], sequential = [r256_0 = 64], warps = 16"
SHARING = "--schedule=@linear_relu_0:parallel = [64, 64], sequential = [r256_0 = 64], warps = 4, residents = 2, stages = 2"
# Stored by the copy engine, which no blocks merge.
WHOLE = "--schedule=@linear_relu_0:parallel = [128, 128], sequential = [r512_0 = 32]"
BYTES = "--schedule=@scaled_linear_relu_0:parallel = [64, 64], sequential = [r256_0 = 128]"
# Factors that are rounded as they are copied, for two blocks.
ROUNDED = "--schedule=@linear_relu_0:parallel = [128, 128], sequential = [r256_0 = 32], warps = 8, stages = 3, cluster = [2, 1]"
# Few keys a round, beside whose products much other work is.
SHORT = "--schedule=@causal_attention_0:parallel = [1, 1, 64, 64], sequential = [r64_0 = 64, r128_0 = 32]"
# Chunks of a split loop, which the blocks of a cluster merge: of products by warpgroups, and of those number by number,
# of which one has sums of its columns for chunks; with what a softmax needs; and of sums alone.
MERGED = "--schedule=@linear_relu_0:parallel = [128, 64], sequential = [r256_0 = 64], merge = cluster, split = "
ATTENTION = "owned = 0, cascades = [2 wrt 1 = rescale, 3 wrt 1 = rescale, 3 wrt 2 = defer], merge = cluster, split = "
CAUSAL = f"--schedule=@causal_attention_0:parallel = [1, 1, 128, 64], sequential = [r64_0 = 64, r256_0 = 64], {ATTENTION}"
SOFTCAP = f"--schedule=@softcap_attention_0:parallel = [64, 128], sequential = [r128_0 = 64, r256_0 = 32], {ATTENTION}"
SOFTMAX = "--schedule=@masked_softmax_matmul_0:parallel = [64, 64], sequential = [r256_0 = 32], owned = 0, " \
    "cascades = [1 wrt 0 = rescale, 2 wrt 0 = rescale, 2 wrt 1 = defer], merge = cluster, split = "
LAYERS = "--schedule=@dlrm_top_mlp_0:parallel = [64, 1], sequential = [r512_0 = 64, r256_0 = 256], owned = 0, " \
    "merge = cluster, split = "
COSINE = "--schedule=@cosine_0:parallel = [16], sequential = [r300_0 = 64], owned = 0, merge = cluster, split = "

CASES = {
    "sm_90a": [
        Case("M1", "8192=256", "engine roles flight staged"),
        Case("M1", "8192=256", "engine roles flight staged shared", (FOURS,)),
        Case("M1", "8192=256", "engine roles flight staged", (SIXTEEN,)),
        Case("M1", "8192=256", "engine roles flight staged residents", (SHARING,)),
        Case("M1", TALL, "engine roles flight walks staged", (MANY,)),
        Case("M1", TALL, "engine roles flight walks staged shared", (MANY + ", cluster = [2, 1]",)),
        Case("M1", TALL, "engine roles flight walks staged crews", (CREWS,)),
        Case("M1", TALL, "engine roles flight walks staged crews shared", (CREWS + ", cluster = [2, 1]",)),
        Case("M5", "8192=1024", "engine roles walks staged crews", (BYTES_OF_CREWS,)),
        Case("M2", "4096=136", "engine roles flight staged"),
        Case("M3", "1024=128 4096=256", "engine roles flight staged"),
        Case("M4", "4096=512", "engine roles flight staged", (WHOLE,)),
        Case("M4", "4096=256", "engine roles flight staged shared rounded", (ROUNDED,)),
        Case("M4i", "4096=192", "ring"),
        Case("M4i_tf32x3", "4096=192", "engine roles"),
        Case("M5", "8192=256", "engine roles staged", (BYTES,)),
        Case("L1", "1024=256 4096=512", "engine roles flight staged"),
        Case("L2", "8192=512 4096=256 16384=512", "engine roles flight staged"),
        Case("G1", "1024=256 2048=256 4096=512", "engine roles flight staged"),
        Case("G2", "8192=128 4096=128 28672=256 14336=128", "engine roles flight staged"),
        Case("G3", "8192=128 4096=128 22016=256 11008=128", "engine roles flight staged"),
        Case("D1", "", "ring", ("--shape=x:32x13",)),
        Case("D1_f16", "", "engine roles", ("--shape=x:64x13",)),
        Case("D2", "", "ring", ("--shape=x:32x512",)),
        Case("D2_f16", "", "engine roles flight", ("--shape=x:64x512",)),
        Case("D3", "4096=384", "engine roles flight staged"),
        Case("F1", "135168=256 4096=128", "engine roles flight"),
        Case("A2", "1024=128", "ring"),
        Case("A3", "16=1 1024=256", "engine roles flight staged"),
        Case("A3", "16=1 1024=128", "engine roles flight pin", (SHORT,)),
        Case("A3p", "16=1 1024=256", "engine roles flight staged"),
        Case("A4", "16=1 8192=256", "engine roles flight staged"),
        Case("A5", "16=1 8192=256", "engine roles flight staged"),
        Case("A_softcap", "4096=128", "ring"),
        Case("A_window", "8192=128", "ring"),
        Case("A_alibi", "16=2 4096=128", "ring"),
        Case("A_segment", "4096=128", "ring"),
        Case("A_gqa", GROUPS, "engine roles order staged"),
        Case("R1", "1823=3 781=16392", "parts"),
        Case("R3", "8192=2 4096=33000", "parts"),
        Case("T1", "1024=64", "engine roles flight staged collect"),
        Case("T1_bf16", "1024=128", "engine roles flight order staged"),
        Case("M1", "8192=256", "engine roles flight staged collect", (MERGED + "2",)),
        Case("M1", "8192=256", "engine roles flight staged collect", (MERGED + "4",)),
        Case("A3", "16=1 1024=256", "engine roles flight staged collect", (CAUSAL + "2",)),
        Case("A1", "1024=256", "ring collect", (SOFTMAX + "8",), has_known_loops=False),
        Case("A_softcap", "4096=256", "ring collect", (SOFTCAP + "4",)),
        Case("D2", "", "ring collect", ("--shape=x:128x512", LAYERS + "8")),
        Case("X_cosine", "", "collect", ("--shape=a:37x300", "--shape=b:37x300", COSINE + "2")),
    ],
    "sm_80": [
        Case("M1", "8192=256", "ring"),
        Case("M2", "4096=136", "ring"),
        Case("M3", "1024=128 4096=256", "ring"),
        Case("M4", "4096=128", "ring"),
        Case("M4i", "4096=192", "ring"),
        Case("M4i_tf32x3", "4096=192", "ring"),
        Case("G1", "1024=128 2048=128 4096=256", "ring"),
        Case("G2", "8192=128 4096=128 28672=256 14336=128", "ring"),
        Case("G3", "8192=128 4096=128 22016=256 11008=128", "ring"),
        Case("D3", "4096=128", "ring"),
        Case("F1", "135168=256 4096=128", "ring"),
        Case("A2", "1024=128", "ring"),
        Case("A3", "16=1 1024=128", "ring"),
        Case("A3p", "16=1 1024=128", "ring"),
        Case("A4", "16=1 8192=256", "ring order"),
        Case("A5", "16=1 8192=128", "ring"),
        Case("A_softcap", "4096=128", "ring"),
        Case("A_window", "8192=128", "ring"),
        Case("A_alibi", "16=2 4096=128", "ring"),
        Case("A_segment", "4096=128", "ring"),
        Case("A_gqa", GROUPS, "ring"),
        Case("T1_bf16", "1024=64", "ring"),
    ],
}


def sized(text: str, sizes: str) -> str:
    """The text of an example with other sizes; all numbers are replaced at once, since one may become another."""
    given = dict(size.split("=") for size in sizes.split())
    text = re.sub(r"(?<=[<x\[ :,])\d+(?=[x\],:)])", lambda found: given.get(found[0], found[0]), text)
    for name, shape in given.items():
        text = re.sub(rf"(?m)^(!{name} = tensor<)[\dx?]*x", rf"\g<1>{shape}x", text)
    # A_gqa says how many heads share one in a reshape, too.
    return text.replace("[8, 4]", "[2, 2]") if "qg" in given else text


def reached(stages: Path, chip: str) -> Counter[str]:
    """How often each form is in the staged kernels."""
    text = "".join(path.read_text() for path in stages.glob(f"*-{chip}-staged.mlir"))
    return Counter({form: len(re.findall(pattern, text)) for form, pattern in FORMS.items()})


def run(case: Case, chip: str, examples: Path, results: Path) -> Counter[str]:
    """Simulates a case with all seeds, and says which forms it had."""
    graph, stages = results / f"{case.example}.mlir", results / "stages"
    graph.write_text(sized((examples / graph.name).read_text(), case.sizes))
    shutil.rmtree(stages, ignore_errors=True)
    command = ["fuse-run", graph, "--target=simulate", f"--chip={chip}", f"--repeat-bits={SEEDS}", "--verify",
               f"--dump-stages={stages}", *case.arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or "verify: right" not in done.stdout:
        sys.exit(f"{case} on {chip}:\n{done.stdout}{done.stderr}")
    forms = reached(stages, chip)
    if missing := [form for form in case.forms.split() if not forms[form]]:
        sys.exit(f"{case} on {chip}: no kernel has {' or '.join(missing)}; there are {dict(+forms)}")
    for staged in stages.glob(f"*-{chip}-staged.mlir") if case.has_known_loops else ():
        threads = subprocess.run(
            ["fuse-opt", staged, f"--fuse-staged-to-threads=chip={chip}", "--threads-simulate", "-o", "/dev/null"],
            capture_output=True, text=True, check=False)
        if threads.returncode:
            sys.exit(f"threads of {case} on {chip}:\n{threads.stdout}{threads.stderr}")
    return forms


def main() -> None:
    chip, examples, results = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    results.mkdir(parents=True, exist_ok=True)
    total: Counter[str] = Counter()
    for case in CASES[chip]:
        total += run(case, chip, examples, results)
    print(*(f"{form}: {total[form]}" for form in FORMS))


if __name__ == "__main__":
    main()
