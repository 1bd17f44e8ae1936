"""Whether the links of all documents lead somewhere: to a file that is there, and to a heading of it.

    links.py ROOT
"""

import pathlib
import re
import sys

_LINK = re.compile(r"\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)")
_CODE = re.compile(r"^```.*?^```\n|`[^`\n]*`", re.M | re.S)
_HEADING = re.compile(r"^#+ (.*)$", re.M)
_FENCED = re.compile(r"^```.*?^```\n", re.M | re.S)


def anchors(path):
    """What a link to a heading may be called, as GitHub names them: of several that read the same, later ones have a number."""
    names = set()
    times = {}
    for heading in _HEADING.findall(_FENCED.sub("", path.read_text())):
        # A link in a heading is what it shows.
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip())
        name = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        number = times.get(name, 0)
        times[name] = number + 1
        names.add(f"{name}-{number}" if number else name)
    return names


def main():
    root = pathlib.Path(sys.argv[1])
    documents = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    count = 0
    broken = []
    for document in documents:
        text = document.read_text()
        for link in _LINK.findall(_CODE.sub("`code`", text)):
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            target, _, anchor = link.partition("#")
            path = document.parent / target if target else document
            if not path.exists():
                broken.append(f"{document.relative_to(root)}: there is no file {link}")
            elif anchor and anchor not in anchors(path):
                broken.append(f"{document.relative_to(root)}: there is no heading {link}")
    print(*broken, sep="\n")
    print(f"{count} links of {len(documents)} documents")
    return bool(broken)


if __name__ == "__main__":
    sys.exit(main())
