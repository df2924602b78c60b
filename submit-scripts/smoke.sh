#!/usr/bin/env bash
# Shows in minutes that the jar works with the line of Spark that it was built for: the quickstart, a run
# of every algorithm, later draws from a checkpoint, predictions, the data source, and Spark Connect.
# It takes the jar that lies in driver/target. The profile smoke builds it first, for any line:
#
#   mvn -Psmoke,spark-3.5 -Dscala.binary.version=2.12 -pl submit-scripts -am clean verify
#
# Spark's libraries come from Maven, whatever SPARK_HOME is.
set -euo pipefail

scripts=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=$(dirname "$scripts")/driver/target
unset SPARK_HOME
export LAMPYRIS_CLASS_ARCHIVE=off # its making takes longer than it saves here
SECONDS=0
"$scripts/lampyris" --version # builds what is missing
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

log=$folder/quickstart.log
"$scripts/quickstart.sh" --rows 20000 --output "$folder/quickstart" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
tail -n 1 "$log"

classpath=$target/lampyris.jar:$(cat "$target/spark.classpath")
mapfile -t options < <(java -cp "$classpath" org.lampyris.driver.ModuleOptions)
java -Xmx2g "${options[@]}" "-Dlog4j2.configurationFile=file:$scripts/log4j2.properties" \
  -cp "$classpath" "$scripts/smoke/Smoke.java" "$folder" 2>"$folder/smoke.log" || { cat "$folder/smoke.log" >&2; exit 1; }

"$scripts/smoke/connect.sh" "$folder"
echo "All steps succeeded, in $SECONDS s."
