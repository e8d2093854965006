"""Makes the report, or pictures for a README, from a shootout.csv."""

import argparse
import os
import sys

sys.dont_write_bytecode = True

import derived  # noqa: E402 - after the line that keeps the source tree clean
import measurements  # noqa: E402
import page  # noqa: E402
import pictures  # noqa: E402


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        fail(message)


def fail(message):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(2)


def write(files):
    """All of them or none: each is complete under another name before the first gets its own."""
    try:
        for path, text in files:
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            with open(path + ".part", "w", encoding="utf-8") as file:
                file.write(text)
        for path, _ in files:
            os.replace(path + ".part", path)
    except OSError as error:
        for path, _ in files:
            if os.path.isfile(path + ".part"):
                os.remove(path + ".part")
        fail(f"cannot write {error.filename}: {error.strerror}")


def main(arguments):
    parser = _Parser(prog="bench/report", description=__doc__, allow_abbrev=False)
    parser.add_argument("csv", help="what throng_shootout wrote")
    parser.add_argument("--output", metavar="FILE", help="the page; report.html beside the CSV unless it is given")
    parser.add_argument("--pictures", metavar="FOLDER", help="write single charts there, and no page")
    options = parser.parse_args(arguments)
    if options.output and options.pictures:
        fail("--output names a page, and --pictures writes none")
    try:
        table = derived.Table(measurements.read(options.csv))
    except measurements.Malformed as error:
        fail(error)
    except OSError as error:
        fail(f"cannot read {options.csv}: {error.strerror}")
    if options.pictures:
        files = [(os.path.join(options.pictures, name), text) for name, text in pictures.all_of(table)]
    else:
        output = options.output or os.path.join(os.path.dirname(options.csv), "report.html")
        files = [(output, page.html(table))]
    write(files)
    for path, _ in files:
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
