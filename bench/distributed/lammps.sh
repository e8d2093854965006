#!/usr/bin/env bash
# Lists of neighbours in a box of atoms, by LAMMPS (Debian's package lammps) and by DistributedGrid, on 1 and 2 ranks: the
# same places, the same radius, and the same number of pairs, or it fails. LAMMPS writes each pair once, as it does by
# default; DistributedGrid writes the neighbours of each. Both put all atoms where they belong before each list.
#
# lammps.sh [<atoms>...]    1000000 and 4000000, unless some are named
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"
steps=3
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
have lmp || install_packages lammps
have mpicxx || install_packages libopenmpi-dev openmpi-bin
prepare release BENCH -DTHRONG_MPI=ON
build release --target throng_ranks_openmpi
ours=$root/build/release/bench/throng_ranks_openmpi
# LAMMPS is built with Open MPI.
launch=(mpirun.openmpi --bind-to core -n)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/in" <<'END_OF_INPUT'
units lj
atom_style atomic
boundary f f f
read_data ${box}
pair_style zero 2.5
pair_coeff * *
neighbor 0.3 bin
neigh_modify every 1 delay 0 check no
run ${steps}
END_OF_INPUT

echo "| atoms | ranks | pairs | LAMMPS, a list of half of them | Throng, update and all | times as fast |"
echo "|---|---|---|---|---|---|"
(($#)) || set -- 1000000 4000000
for count in "$@"; do
    "$ours" --agents "$count" --write "$scratch/box"
    for ranks in 1 2; do
        theirs=$("${launch[@]}" "$ranks" lmp -in "$scratch/in" -var box "$scratch/box" -var steps "$steps" -log none)
        mine=$("${launch[@]}" "$ranks" "$ours" --agents "$count" --steps "$steps" --box)
        # Neighbour lists, and communication before them, in which the faster rank waits: the mean.
        awk -v atoms="$count" -v ranks="$ranks" -v steps="$steps" -v mine="$mine" '
            /^Neigh +\|/ { seconds += $5 }
            /^Comm +\|/ { seconds += $5 }
            /^Total # of neighbors/ { pairs = $NF }
            END {
                split(mine, words, /[ ,]+/)
                if (sprintf("%.8g", words[1]) != sprintf("%.8g", pairs)) { # as LAMMPS writes it
                    print "LAMMPS has " pairs " pairs: " mine
                    exit 1
                }
                own = words[4] + words[7]
                printf "| %d | %d | %d | %.3f s | %.3f s | %.1f |\n", atoms, ranks, words[1], seconds / steps, own,
                    seconds / steps / own
            }' <<<"$theirs"
    done
done
