"""What the generators share: they write their files, or with --check say which are not what would be written."""

import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main(usage, script, files, arguments, orphans=()):
    """`files`: the text of each, by its path; `orphans`: files that should not be there. The exit status."""
    if arguments not in ([], ["--check"]):
        raise SystemExit(usage)
    if not arguments:
        for path, text in files.items():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        for path in orphans:
            os.remove(path)
        return 0
    stale = [path for path, text in files.items()
             if not os.path.exists(path) or open(path, encoding="utf-8").read() != text] + list(orphans)
    for path in stale:
        print(f"{os.path.relpath(path, ROOT)} is not what throng.h says: run {script}")
    print(f"{len(files)} files, {len(stale)} stale")
    return 1 if stale else 0
