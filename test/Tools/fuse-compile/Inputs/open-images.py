"""Images for processors, and a GPU, with open sizes, beside runs of the same graphs whose sizes are known.

    open-images.py SOURCE FUSE FOLDER SIZES [NAME...]

The graphs are those of test/Gpu/open.py, all or some; each is compiled once and run at its first so many SIZES.
"""

import os
import subprocess
import sys

source, fuse, folder, count = sys.argv[1:5]
sys.path.insert(0, os.path.join(source, "test", "Gpu"))
import open as opened  # noqa: E402


def run(*command):
    done = subprocess.run([fuse, *command], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")


def main():
    right = 0
    for name, text, shapes in opened.cases_of():
        if sys.argv[5:] and name not in sys.argv[5:]:
            continue
        graph, image = os.path.join(folder, name + ".mlir"), os.path.join(folder, name + ".fuse")
        with open(graph, "w") as file:
            file.write(text)
        given = [shape.partition(":") for shape in shapes]
        sizes = [(argument, listed.split("/")) for argument, _, listed in given]
        run("fuse-compile", graph, "--open-sizes=on", "--chip=cpu,sm_80", "--ptxas=off", "--cache=off", "-o", image,
            *[f"{argument}:{listed[0]}" for argument, listed in sizes])
        for number in range(min(int(count), len(sizes[0][1]))):
            at = [f"{argument}:{listed[number]}" for argument, listed in sizes]
            results = os.path.join(folder, f"{name}-{number}")
            run("fuse-run", graph, "--target=cpu", *at, f"--save-outputs={results}")
            run("fuse-run", image, "--target=cpu", *at, "--rtol=0.02", "--atol=0.02",
                *[f"--expect={file[:-len('.npy')].removeprefix('out')}={results}/{file}" for file in os.listdir(results)])
            right += 1
    print(f"{right} are right")


if __name__ == "__main__":
    main()
