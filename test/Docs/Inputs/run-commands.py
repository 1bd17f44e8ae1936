"""Runs every command of the documents: each line of each ```sh block."""
import pathlib
import re
import subprocess
import sys

# They install, build or run all tests, this one among them. CI runs check.sh;
# the job of demo.sh is run by demo.test, and format.sh needs another package.
RUN_ELSEWHERE = ("tools/dev/", "lit-22 -sv build/test")


def commands(path):
    for block in re.findall(r"^```sh\n(.*?)^```", path.read_text(), re.M | re.S):
        for line in block.replace("\\\n", " ").splitlines():
            line = line.split(" #")[0].strip()
            if line and not line.startswith(RUN_ELSEWHERE):
                yield line


def main():
    source, build = map(pathlib.Path, sys.argv[1:3])
    count = 0
    for path in [source / "README.md", *sorted((source / "docs").glob("*.md"))]:
        for command in commands(path):
            count += 1
            # The documents call the build folder `build`, which it need not be.
            real = re.sub(r"(?<![\w/])build/", f"{build}/", command)
            ran = subprocess.run(
                real, shell=True, cwd=source, text=True, capture_output=True
            )
            if ran.returncode != 0:
                print(f"{path.name}: `{command}` ends with {ran.returncode}")
                print(ran.stderr)
                return 1
    print(f"{count} commands ran")
    return 0


sys.exit(main())
