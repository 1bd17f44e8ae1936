"""The code that documents show, with what it needs and nobody wants to read: comments that stand right before a block and
right behind it.

    <!-- before
    int main(void) {
    -->
    ```c
    ...
    ```
    <!-- after
    }
    -->
"""

import pathlib
import re

_COMMENT = r"((?:(?!-->)[^\n]*\n)*)-->\n"
_BLOCK = re.compile(rf"(?:^<!-- before\n{_COMMENT})?^```([a-z]+)\n(.*?)^```\n(?:<!-- after\n{_COMMENT})?", re.M | re.S)


class Block:
    def __init__(self, path, text, match):
        self.path = path
        self.language = match[2]
        #: What is before it, it, and what is after it, each with the number of its first line.
        self.parts = [(text.count("\n", 0, match.start(part)) + 1, match[part]) for part in (1, 3, 4) if match[part]]
        self.line = text.count("\n", 0, match.start(3)) + 1

    def __str__(self):
        return f"{self.path.name}:{self.line}"


def blocks(source, *languages):
    """Those of all documents, a list for each document."""
    for path in [pathlib.Path(source, "README.md"), *sorted(pathlib.Path(source, "docs").glob("*.md"))]:
        text = path.read_text()
        matches = list(_BLOCK.finditer(text))
        for word, part in (("before", 1), ("after", 4)):
            if text.count(f"<!-- {word}\n") != sum(match[part] is not None for match in matches):
                raise SystemExit(f"{path.name}: a comment '<!-- {word}' has no block next to it")
        found = [Block(path, text, match) for match in matches if match[2] in languages]
        if found:
            yield found
