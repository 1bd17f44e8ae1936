"""Images that were stored when their version of the format was the current one. Those of the current version are read, are
written as they were, and give the same bits; those of older ones are refused with a sentence.

    stored.py SOURCE FOLDER

Whoever makes a new version of the format stores its images once, in a folder of its own, where they stay:

    cd test/Tools/fuse-image/Inputs/stored && mkdir version-N
    export FUSE_PTXAS=none
    fuse-compile known.mlir --cache=off --chip=sm_80,x86-64 --variants=any --threads=2 -o version-N/known.fuse
    fuse-compile open.mlir --cache=off --chip=sm_80,x86-64 --threads=2 --variants=any --open-sizes=on --shape=b:100x4 \\
      --shape=c:102x4 -o version-N/open.fuse
    cp version-6/*.npy version-N
"""

import pathlib
import re
import subprocess
import sys

import fuse


def read(path):
    image = fuse.Image.read(path)
    assert image.to_bytes() == path.read_bytes(), f"{path} is written in another way than it was"
    return image


def current(folder, results):
    known, opened = read(folder / "known.fuse"), read(folder / "open.fuse")
    assert known.outputs[0] == fuse.ArgumentInfo("y", "f32", (3, 5), 64), known.outputs
    assert opened.output_shapes([(2, 4), (5, 4), (7, 4)]) == [(7, 4)]
    run(folder, "known.fuse", results, inputs="xn", outputs={"y": "y", "same": "x"})
    run(folder, "open.fuse", results, inputs="abc", outputs={"y": "joined"})


def run(folder, image, results, inputs, outputs):
    subprocess.run(["fuse-run", folder / image, "--target=cpu", *[f"--input={name}={folder}/{name}.npy" for name in inputs],
                    *[f"--output={name}={results}/{name}.npy" for name in outputs]], check=True, stdout=subprocess.DEVNULL)
    for found, wanted in outputs.items():
        assert (results / f"{found}.npy").read_bytes() == (folder / f"{wanted}.npy").read_bytes(), f"{found} is another"


def older(folder, version, needed):
    for path in folder.glob("*.fuse"):
        try:
            read(path)
        except fuse.UnsupportedError as error:
            sentence = f"found version {version} of the image format, needed {needed}: compile the graph again"
            assert sentence in str(error), error
        else:
            raise AssertionError(f"{path} is of an older version, and is read")


def main():
    source, results = map(pathlib.Path, sys.argv[1:3])
    stored = pathlib.Path(__file__).resolve().parent / "stored"
    # fuse-image.test makes sure that the document is right.
    needed = int(re.search(r"the version of the format: (\d+)", (source / "docs" / "Image.md").read_text())[1])
    versions = sorted(int(folder.name.partition("-")[2]) for folder in stored.glob("version-*"))
    if needed not in versions:
        raise SystemExit(f"no images of version {needed} are stored: {__file__} says how that is done")
    for version in versions:
        folder = stored / f"version-{version}"
        if version == needed:
            current(folder, results)
        else:
            older(folder, version, needed)
        print(f"version {version}: {'read' if version == needed else 'refused'}")


if __name__ == "__main__":
    main()
