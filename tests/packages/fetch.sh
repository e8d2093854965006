#!/usr/bin/env bash
# A host that fetches the library by its tag, with the lines of docs/packages.md, from a git repository that is made
# of the files that git tracks here. fetch.sh <scratch folder> [run]: without run it is configured and not compiled.
# Ends with 77 where git or this repository is not there.
set -euo pipefail
scratch=$(realpath -m "$1") root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
if [[ ! -e .git ]] || ! command -v git >/dev/null; then
    echo "skipped: this is no git repository"
    exit 77
fi

rm -rf "$scratch"
mkdir -p "$scratch/host"
git init --quiet "$scratch/origin"
git ls-files -z | tar --create --null --no-recursion --files-from=- | tar --extract --directory="$scratch/origin"
git -C "$scratch/origin" add --all --force
git -C "$scratch/origin" -c user.name=Throng -c user.email=authors@throng.invalid commit --quiet --message=tagged

fetch=$(awk '/^```cmake$/ { inside = 1; next } /^```$/ && inside { exit } inside' docs/packages.md)
tag=$(sed -n 's/.*GIT_TAG \(v[0-9.]*\).*/\1/p' <<<"$fetch")
git -C "$scratch/origin" tag "$tag"
fetch=${fetch/https:*throng.git/file:\/\/$scratch\/origin}
[[ $fetch == *file:* ]] || { echo "docs/packages.md has no address to replace" >&2 && exit 1; }
cp tests/readme/example.cpp tests/c/example.c "$scratch/host/"
cat >"$scratch/host/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(host LANGUAGES C CXX)
add_executable(yours example.cpp)
$fetch
add_executable(c example.c)
set_target_properties(c PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(c PRIVATE throng::core)
END
cmake -S "$scratch/host" -B "$scratch/host/build" -DCMAKE_BUILD_TYPE=Release
[[ ${2:-} == run ]] || exit 0
cmake --build "$scratch/host/build" --parallel "${THRONG_JOBS:-$(nproc)}"
for program in yours c; do
    said=$("$scratch/host/build/$program")
    [[ $said == "2 agents are near: 0 and 1" ]] || { echo "the host says: $said" >&2 && exit 1; }
done
