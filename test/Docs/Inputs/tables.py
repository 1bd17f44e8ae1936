"""Tables that a document says a command has printed: they are what it prints.

    tables.py ROOT DOCUMENT [--write]

A line `<!-- fuse-bench ... -->` stands before a table; the command runs in ROOT. With
--write the document is given what the commands print.
"""

import re
import shlex
import subprocess
import sys

TABLE = re.compile(r"^(<!-- fuse-bench (.*) -->\n)((?:\|.*\n)*)", flags=re.M)


def main():
    root, document = sys.argv[1:3]
    with open(document) as file:
        text = file.read()
    count = 0

    def printed(match):
        nonlocal count
        count += 1
        command = [sys.executable, "-B", "tools/fuse-bench/fuse-bench", *shlex.split(match[2])]
        said = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
        if said != match[3] and "--write" not in sys.argv:
            sys.exit(f"{document}: the table of 'fuse-bench {match[2]}' is another one; {sys.argv[0]} {root} {document} --write")
        return match[1] + said

    text = TABLE.sub(printed, text)
    if not count:
        sys.exit(f"{document}: has no tables")
    # What cuts a table in two.
    rows = text.split("\n")
    for number in range(1, len(rows) - 1):
        if not rows[number] and rows[number - 1].startswith("|") and rows[number + 1].startswith("|"):
            if number + 2 >= len(rows) or not rows[number + 2].startswith("|---"):
                sys.exit(f"{document}:{number + 1}: an empty line in a table")
    if "--write" in sys.argv:
        with open(document, "w") as file:
            file.write(text)
    print(f"{count} tables")


if __name__ == "__main__":
    main()
