#!/usr/bin/env bash
# Shows in a minute or two that the jar works with the line of Spark that it was built for: one run
# of each class of algorithms, later draws from a checkpoint, a prediction, and the data source.
# For another line, build it first: mvn -Pspark-4.0 -Dmaven.test.skip=true package
#
#   submit-scripts/smoke.sh
set -euo pipefail

scripts=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=$(dirname "$scripts")/driver/target
"$scripts/lampyris" --version # builds what is missing
classpath=$target/lampyris.jar:$(cat "$target/spark.classpath")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mapfile -t options < <(java -cp "$classpath" org.lampyris.driver.ModuleOptions)
java -Xmx2g "${options[@]}" "-Dlog4j2.configurationFile=file:$scripts/log4j2.properties" \
  -cp "$classpath" "$scripts/Smoke.java" "$folder"
