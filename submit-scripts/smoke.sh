#!/usr/bin/env bash
# The smoke set on another line of Spark: builds the jar, then runs the quickstart, every class of
# algorithms, resume and the data source.
#
#   submit-scripts/smoke.sh 4.1|4.0|3.5 [options of Maven]
set -euo pipefail

line=${1:?"the line of Spark: 4.1, 4.0 or 3.5"}
shift
home=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$home"
profile=()
if [ "$line" != 4.1 ]; then profile=("-Pspark-$line"); fi

# Tests are named, so no others run; the checks of style and null are those of the default line.
mvn -B -q ${profile[@]+"${profile[@]}"} -pl driver -am verify -Dspotless.check.skip=true \
  -Dtest=None -Dsurefire.failIfNoSpecifiedTests=false \
  -Dit.test=EveryAlgorithmIT,MultilevelIT,ResumeIT,LampyrisSourceIT -Dfailsafe.failIfNoSpecifiedTests=false "$@"
SPARK_HOME='' submit-scripts/quickstart.sh --rows 20000 --output "$home/driver/target/smoke-$line"
