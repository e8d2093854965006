"""Makes the report, or pictures for a README, from a shootout.csv; from a span.csv or variants.csv, pictures only."""

import argparse
import os
import re
import sys

sys.dont_write_bytecode = True

import derived  # noqa: E402 - after the line that keeps the source tree clean
import measurements  # noqa: E402
import page  # noqa: E402
import pictures  # noqa: E402
import span  # noqa: E402
import variants  # noqa: E402


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
            now = path
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            with open(path + ".part", "w", encoding="utf-8") as file:
                file.write(text)
        for path, _ in files:
            now = path
            os.replace(path + ".part", path)
    except OSError as error:
        # A full disk does not say which file it is about.
        fail(f"cannot write {now}: {error.strerror}")
    finally:
        for path, _ in files:
            if os.path.isfile(path + ".part"):
                os.remove(path + ".part")


def beside(path):
    """The page of a CSV, under a name like the CSV's."""
    folder, name = os.path.split(path)
    found = re.fullmatch(r"shootout(-.+)\.csv", name)
    return os.path.join(folder, f"report{found[1] if found else ''}.html")


def _files(options):
    """(path, text) of all that is asked for. Raises Malformed, or OSError where the CSV cannot be read."""
    if options.gather:
        return [(options.csv, variants.gather(options.gather))]
    if variants.is_variants(options.csv):
        if not options.pictures:
            fail(f"{options.csv} is of variants: it has no page, only --pictures")
        drawn = pictures.all_of_variants(variants.read(options.csv))
        return [(os.path.join(options.pictures, name), text) for name, text in drawn]
    reckoned = span.is_span(options.csv)
    if reckoned and not options.pictures:
        fail(f"{options.csv} is what throng_span reckoned: it has no page, only --pictures")
    if not options.pictures:
        table = derived.Table(measurements.read(options.csv))
        return [(options.output or beside(options.csv), page.html(table))]
    drawn = (pictures.all_of_span(span.read(options.csv)) if reckoned else
             pictures.all_of(derived.Table(measurements.read(options.csv))))
    return [(os.path.join(options.pictures, name), text) for name, text in drawn]


def main(arguments):
    parser = _Parser(prog="bench/report", description=__doc__, allow_abbrev=False)
    parser.add_argument("csv", help="what throng_shootout or throng_span wrote, or a variants.csv")
    parser.add_argument("--output", metavar="FILE", help="the page; beside the CSV unless it is "
                        "given: report.html for shootout.csv, report-part.html for shootout-part.csv")
    parser.add_argument("--pictures", metavar="FOLDER", help="write single charts there, and no page")
    parser.add_argument("--gather", metavar="FOLDER", help="make the variants.csv of what scripts/report --variants left there")
    options = parser.parse_args(arguments)
    if options.output and options.pictures:
        fail("--output names a page, and --pictures writes none")
    try:
        files = _files(options)
    except measurements.Malformed as error:
        fail(error)
    except OSError as error:
        fail(f"cannot read {options.csv}: {error.strerror}")
    write(files)
    for path, _ in files:
        print(path)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
