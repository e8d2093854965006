# Shared by scripts/ and .ci/run: finds or installs the tools and libraries that a build needs.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${THRONG_JOBS:-$(nproc 2>/dev/null || echo 2)}

say() { printf '%s\n' "$*" >&2; }
die() {
    say "error: $*"
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# install_packages <package>...: with apt-get if it exists and is allowed; otherwise names them and fails.
install_packages() {
    (($#)) || return 0
    local sudo=()
    have apt-get || die "please install what Debian calls: $*"
    if ((EUID != 0)); then
        have sudo || die "not root and no sudo; please run: apt-get install $*"
        # Asks for a password only at a terminal.
        if [[ -t 0 ]]; then sudo=(sudo); else sudo=(sudo -n); fi
    fi
    local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y) said
    say "installing: $*"
    # Fails where the package lists are missing or out of date.
    "${apt[@]}" install --no-install-recommends "$@" >/dev/null 2>&1 </dev/null && return 0
    "${apt[@]}" update >/dev/null 2>&1 </dev/null || true
    said=$("${apt[@]}" install --no-install-recommends "$@" 2>&1 >/dev/null </dev/null) && return 0
    # Its first complaint says what is wrong.
    said=$(grep -m 1 -E '^(E|sudo):' <<<"$said" || tail -n 1 <<<"$said")
    die "cannot install $*: apt-get says ${said#E: }"
}

# has_header <header>: whether the compiler finds it without being told where.
has_header() {
    printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$1" | "${CXX:-g++}" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null
}

# require_build_tools <library>...: a compiler, CMake, and the named ones of tbb, xsimd, gtest and benchmark.
require_build_tools() {
    local missing=() library header package
    have cmake || missing+=(cmake)
    have ninja || have make || missing+=(ninja-build)
    if [[ -z ${CXX:-} ]] && ! have g++; then missing+=(g++); fi
    install_packages "${missing[@]}"
    choose_compiler

    # With CMAKE_PREFIX_PATH libraries are elsewhere, and CMake will say what is missing.
    [[ -z ${CMAKE_PREFIX_PATH:-} ]] || return 0
    missing=()
    while read -r library header package; do
        if [[ " $* " == *" $library "* ]] && ! has_header "$header"; then missing+=("$package"); fi
    done <<'END'
tbb oneapi/tbb/version.h libtbb-dev
xsimd xsimd/xsimd.hpp libxsimd-dev
gtest gtest/gtest.h libgtest-dev
benchmark benchmark/benchmark.h libbenchmark-dev
END
    install_packages "${missing[@]}"
}

# The system's g++ may be too old for C++20 with a newer one beside it.
choose_compiler() {
    [[ -z ${CXX:-} ]] || return 0
    if (($(g++ -dumpversion | cut -d. -f1) < 12)); then
        have g++-12 || install_packages g++-12
        export CXX=g++-12
    fi
}

# A Python that has the packages for building and testing the extension module; nothing if there is none.
python_for_extension() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import numpy, pybind11' 2>/dev/null; then
            command -v "$python"
            return 0
        fi
    done
}

# provide_mpi [<package>...]: installs an MPI, and these packages, if they are missing and may be installed. Whether
# there is an MPI then.
provide_mpi() {
    local missing=()
    have mpicxx && have mpirun || missing+=(libopenmpi-dev openmpi-bin)
    (install_packages "${missing[@]}" "$@") || say "NOT INSTALLED: ${missing[*]} $*"
    have mpicxx && have mpirun
}

# has_zoltan: whether Debian's Zoltan is here, and mpicxx is of the MPI that it was built for, Open MPI.
has_zoltan() { [[ -f /usr/include/trilinos/zoltan.h ]] && mpicxx --showme:version >/dev/null 2>&1; }

# A compiler cache, where one is installed, serves all clones: paths below the checkout are taken as relative ones, and
# precompiled headers are cached. What a file depends on is asked of the compiler (CCACHE_DEPEND): ccache's own
# preprocessing reads the old precompiled header where a new one is to be made, files the new one under the bytes of the old,
# and gives it back whenever those bytes are there again. Before 4.7 ccache compares times in seconds, and may miss a header
# that was made a moment ago. Variables that are set stay.
use_compiler_cache() {
    have ccache || return 0
    printf '%s\n' 4.7 "$(ccache --version | sed -n '1s/.* //p')" | sort -CV || return 0
    export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER-ccache}
    export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
    export CCACHE_BASEDIR=${CCACHE_BASEDIR-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR-1}
    export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros} CCACHE_DEPEND=${CCACHE_DEPEND-1}
}
use_compiler_cache

is_configured() { [[ -f $root/build/$1/build.ninja || -f $root/build/$1/Makefile ]]; }

# setting_of <preset> <name>: the value in CMake's cache.
setting_of() { sed -n "s/^$2:[A-Z]*=//p" "$root/build/$1/CMakeCache.txt"; }

# configure <preset> [-D<name>=<value>...]: with these settings, and those of earlier calls. CMake runs only if
# one is new; builds notice changed CMake files themselves.
configure() {
    local preset=$1 setting name
    shift
    if ! is_configured "$preset"; then
        if [[ -z ${CMAKE_GENERATOR:-} ]] && have ninja; then export CMAKE_GENERATOR=Ninja; fi
        rm -rf "$root/build/$preset"
        (cd "$root" && cmake --preset "$preset" "$@") >&2 </dev/null
        return 0
    fi
    for setting in "$@"; do
        name=${setting#-D}
        name=${name%%=*}
        if [[ $(setting_of "$preset" "$name") != "${setting#*=}" ]]; then
            cmake "$@" "$root/build/$preset" >&2 </dev/null
            return 0
        fi
    done
}

# prepare <preset> <part> [-D<name>=<value>...]: configures a build with that part (TESTS, BENCH or DEMO), and
# installs what it needs. Parts that other scripts asked for stay, and all of them share one compiled library.
prepare() {
    local preset=$1 part=$2 libraries=(tbb xsimd) settings=()
    shift 2
    case $part in
    TESTS) libraries+=(gtest) ;;
    BENCH) libraries+=(benchmark) ;;
    esac
    # The demo alone needs no GoogleTest.
    is_configured "$preset" || settings=(-DTHRONG_BUILD_TESTS=OFF)
    if ((${#settings[@]})) || [[ $(setting_of "$preset" "THRONG_BUILD_$part") != ON ]]; then
        require_build_tools "${libraries[@]}"
    fi
    # The demo has built what its own machine runs, and no more.
    if [[ $preset == release && $part != DEMO ]] && is_configured release &&
        [[ $(setting_of release THRONG_ISAS) == native ]]; then
        settings+=(-DTHRONG_ISAS=default)
    fi
    # With other flags everything is compiled again.
    if [[ ${CI:-} == true ]]; then settings+=(-DTHRONG_WERROR=ON); fi
    configure "$preset" "${settings[@]}" "-DTHRONG_BUILD_$part=ON" "$@"
}

# build <preset> [<argument>...]
build() {
    local preset=$1
    shift
    cmake --build "$root/build/$preset" --parallel "$jobs" "$@" >&2 </dev/null
}

# tidy <number>: clang-tidy of so many files of the library, those that were changed last.
tidy() {
    local files
    configure clang14-apart -DTHRONG_WERROR=ON
    # Not those that this build leaves out: without its options clang-tidy would guess them.
    mapfile -t files < <(git log --format= --name-only -- simd engine parallel distributed c | awk '!seen[$0]++' |
        grep '\.cpp$' | grep -v '\.kernel\.cpp$' | while read -r file; do
        if [[ -f $file ]] && grep -qF "/$file\"" build/clang14-apart/compile_commands.json; then echo "$file"; fi
    done)
    printf '%s\n' "${files[@]:0:$1}" | xargs -r -P "$jobs" -n 1 clang-tidy-14 --quiet -p build/clang14-apart
}

# results_of <processor name>: the folder of this machine's results, which is made.
results_of() {
    local machine
    # Names of processors hold spaces, (R) and @.
    machine=$(sed -E 's/\((R|TM)\)//g; s/[^A-Za-z0-9.]+/-/g; s/-+$//' <<<"$1")
    mkdir -p "$root/bench/results/$machine"
    echo "$root/bench/results/$machine"
}
