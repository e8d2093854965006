#!/usr/bin/env bash
# What scripts/test says of results, and of what is lacking: planted entries of every kind. test_results.sh <scratch folder>
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"

cat >ctest.xml <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="10">
	<testcase name="plain" classname="plain" time="0.1" status="run">
		<system-out>skipped things are not lines that begin so: here
</system-out>
	</testcase>
	<testcase name="cases" classname="cases" time="0.1" status="run">
		<system-out></system-out>
	</testcase>
	<testcase name="bad_cases" classname="bad_cases" time="0.1" status="fail">
		<failure message="Failed"/>
		<system-out></system-out>
	</testcase>
	<testcase name="crashed" classname="crashed" time="0.1" status="fail">
		<failure message="SEGFAULT"/>
		<system-out></system-out>
	</testcase>
	<testcase name="missing" classname="missing" time="0" status="notrun">
		<skipped message="Unable to find executable"/>
		<system-out>Unable to find executable: missing</system-out>
	</testcase>
	<testcase name="engine.avx512" classname="engine.avx512" time="0" status="notrun">
		<skipped message="SKIP_RETURN_CODE=77"/>
		<system-out>skipped: lacks avx512
</system-out>
	</testcase>
	<testcase name="mpi.not_built" classname="mpi.not_built" time="0" status="notrun">
		<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
		<system-out>lacks mpi (tests of MPI &amp; more)
</system-out>
	</testcase>
	<testcase name="web.avx512" classname="web.avx512" time="0" status="notrun">
		<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
		<system-out>CMake Error at check_output.cmake:31 (message):
  ended with 77: skipped: lacks avx512

</system-out>
	</testcase>
	<testcase name="silent" classname="silent" time="0" status="notrun">
		<skipped message="SKIP_RETURN_CODE=77"/>
		<system-out></system-out>
	</testcase>
	<testcase name="python" classname="python" time="0.1" status="run">
		<system-out>..s.
skipped: test_package.Types.test_mypy: it has &lt;no&gt; &quot;types&quot;
skipped: all: lacks numba, mypy
OK
</system-out>
	</testcase>
</testsuite>
END
cat >cases.xml <<'END'
<testsuites tests="5" failures="0" disabled="1" errors="0" time="0" name="AllTests">
  <testsuite name="Pool" tests="5">
    <testcase name="Runs" status="run" result="completed" classname="Pool" />
    <testcase name="Stops/2d" status="run" result="skipped" time="0" classname="Pool">
      <skipped message="/tests/pool_test.cpp:12&#x0A;one &quot;processor&quot;"><![CDATA[/tests/pool_test.cpp:12
one "processor"]]></skipped>
    </testcase>
    <testcase name="Waits" status="run" result="skipped" time="0" classname="Pool">
      <skipped message="/tests/pool_test.cpp:13&#x0A;"><![CDATA[]]></skipped>
    </testcase>
  </testsuite>
</testsuites>
END
cat >bad_cases.xml <<'END'
<testsuites tests="3" failures="2" disabled="0" errors="0" time="0" name="AllTests">
END
cat >expected <<'END'
skipped: cases/Pool.Stops/2d: one "processor"
skipped: cases/Pool.Waits: no reason is given
skipped: engine.avx512: lacks avx512
skipped: mpi.not_built: lacks mpi (tests of MPI & more)
skipped: web.avx512: lacks avx512
skipped: silent: no reason is given
skipped: python/test_package.Types.test_mypy: it has <no> "types"
skipped: python/all: lacks numba, mypy
5 4 8
END
awk -v results="$PWD" -f "$root/scripts/test_results.awk" ctest.xml >said
diff expected said

# lacking <exit code> <required> <sentence>: the same block, whatever is required.
cat >block <<'END'
lacking, and skipped for that:
  avx512       engine.avx512, web.avx512
  mpi          mpi.not_built
  numba        python/all
  mypy         python/all
END
lacking() {
    local code=0
    awk -v required="$2" -f "$root/scripts/lacking.awk" said >lacks 2>sentence || code=$?
    diff block lacks
    if [[ $code != "$1" || $(<sentence) != "$3" ]]; then
        echo "--require $2 ended with $code, and said: $(<sentence)"
        exit 1
    fi
}
lacking 0 "" ""
lacking 0 "cargo vtk" ""
lacking 1 "cargo numba mpi" "error: --require cargo numba mpi: this machine lacks mpi, numba"
lacking 1 all "error: --require all: this machine lacks avx512, mpi, numba, mypy"
# Nothing is lacking, and nothing is said.
[[ -z $(sed '/lacks/d' said | awk -v required=all -f "$root/scripts/lacking.awk") ]]
