"""Makes the archive that Blender installs: Edit > Preferences > Add-ons > Install.

    python3 hosts/blender/pack.py FOLDER [WHEEL]

With a wheel of throng, `pip wheel .` or scripts/packages python, the archive brings it along, for Blenders with that
version of Python on that system. Prints the path of the archive, which has the same bytes for the same sources.
"""

import re
import sys
import zipfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "throng_points"
#: The first moment that an archive can name: when files were touched is no part of what they are.
MOMENT = (1980, 1, 1, 0, 0, 0)


def pack(folder: Path, *wheels: Path) -> Path:
    text = (PACKAGE / "__init__.py").read_text()
    version = ".".join(re.search(r'"version": \((\d+), (\d+), (\d+)\)', text).groups())
    files = {f"{PACKAGE.name}/{file.name}": file for file in sorted(PACKAGE.glob("*.py"))}
    files.update({f"{PACKAGE.name}/wheels/{wheel.name}": wheel for wheel in wheels})
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"throng-blender-{version}.zip"
    with zipfile.ZipFile(archive, "w") as out:
        for name, file in files.items():
            out.writestr(zipfile.ZipInfo(name, MOMENT), file.read_bytes(), zipfile.ZIP_DEFLATED)
    return archive


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    print(pack(*map(Path, sys.argv[1:])))
