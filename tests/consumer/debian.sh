#!/usr/bin/env bash
# Debian packages of a build folder, in a root of their own: they install, a host is built from there,
# and nothing is left when they are gone. Ends with 77 where there is no dpkg.
#
# debian.sh <build folder> <scratch folder> <compiler> <1 if libraries are shared, or 0> <1 if with MPI, or 0>
#     <1 if with Zoltan, or 0>
set -euo pipefail
build=$1 scratch=$2 compiler=$3 shared=$4 mpi=$5 zoltan=$6
host=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

for tool in dpkg dpkg-deb dpkg-shlibdeps fakeroot gzip; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: lacks $tool"
        exit 77
    fi
done
die() {
    printf '%s\n' "$*" >&2
    exit 1
}
# Shows what a command has said only if it fails.
quietly() {
    "$@" >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        die "failed: $*"
    }
}

rm -rf "$scratch"
mkdir -p "$scratch"/{packages,root/var/lib/dpkg/{info,updates,triggers}}
root=$scratch/root
touch "$root/var/lib/dpkg/status"
quietly cpack -G DEB --config "$build/CPackConfig.cmake" -B "$scratch/packages"
packages=("$scratch"/packages/*.deb)
names=()
for package in "${packages[@]}"; do names+=("$(dpkg-deb -f "$package" Package)"); done

expected=(libthrong-dev)
if [[ $shared == 1 ]]; then
    expected+=("libthrong[0-9.]+")
    if [[ $mpi == 1 ]]; then expected+=("libthrong-mpi[0-9.]+"); fi
    if [[ $zoltan == 1 ]]; then expected+=("libthrong-zoltan[0-9.]+"); fi
fi
[[ ${#names[@]} == "${#expected[@]}" ]] || die "packages are ${names[*]}, and not ${expected[*]}"
for name in "${expected[@]}"; do
    [[ " ${names[*]} " =~ \ $name\  ]] || die "packages are ${names[*]}, without $name"
done

if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error "${packages[@]}" || die "lintian has found errors"
else
    echo "skipped: lintian: lacks lintian"
fi

# Dependencies are this system's, and not in that root; nor are a shell and ldconfig, which maintainers'
# scripts call.
in_root() {
    quietly fakeroot dpkg --root="$root" --log=/dev/null --force-not-root --force-depends \
        --force-script-chrootless "$@"
}
files() { (cd "$root" && find . -path ./var/lib/dpkg -prune -o ! -type d -print | sort); }
[[ -z $(files) ]] || die "the root is not empty"
in_root --install "${packages[@]}"
[[ $(files) == *"/include/throng/throng.hpp"* ]] || die "the packages hold no headers"

tbb=$(sed -n 's/^THRONG_TBB:[A-Z]*=//p' "$build/CMakeCache.txt")
config=$(find "$root/usr/lib" -path '*/cmake/throng' -type d)
quietly cmake -S "$host" -B "$scratch/host" -DWAY=package -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_CXX_COMPILER="$compiler" -Dthrong_DIR="$config" -DTHRONG_TBB="$tbb"
quietly cmake --build "$scratch/host" --target consumer
"$scratch/host/consumer"
if [[ $shared == 1 ]]; then
    # It runs from there, and not from where it was built.
    taken=$(ldd "$scratch/host/consumer")
    [[ $taken =~ libthrong[.]so[^\ ]*\ =\>\ $root/usr/ ]] || die "another libthrong was taken: $taken"
fi

in_root --purge "${names[@]}"
[[ -z $(files) ]] || die "the packages have left: $(files)"
