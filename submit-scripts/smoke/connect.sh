#!/usr/bin/env bash
# Fits a regression through Spark Connect: a server with the jar, and a client that knows nothing of
# Lampyris. The draws have to be the command's. A part of smoke.sh. Maven fetches server and client;
# if it cannot, this says so and succeeds.
#
#   submit-scripts/smoke/connect.sh <folder to write to>
set -euo pipefail

smoke=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scripts=$(dirname "$smoke")
target=$(dirname "$scripts")/driver/target
folder=$1
unset SPARK_HOME
# As in spark-sql_2.13-4.1.3.jar: Scala's version and Spark's.
spark=$(tr ':' '\n' <"$target/spark.classpath" | sed -n 's/.*spark-sql_\(.*\)\.jar$/\1/p')

# Writes the class path of an artifact of Spark. Spark 4.1's server asks for spark-pipelines, which Maven Central lacks.
classpath() {
  mkdir "$folder/$1"
  cat >"$folder/$1/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.lampyris</groupId><artifactId>$1</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.apache.spark</groupId><artifactId>$1_${spark%%-*}</artifactId><version>${spark#*-}</version>
    <exclusions><exclusion>
      <groupId>org.apache.spark</groupId><artifactId>spark-pipelines_${spark%%-*}</artifactId>
    </exclusion></exclusions>
  </dependency></dependencies>
</project>
POM
  mvn -B -q -f "$folder/$1/pom.xml" dependency:build-classpath "-Dmdep.outputFile=$folder/$1.classpath" >"$folder/$1.log" 2>&1
}
for artifact in spark-connect spark-connect-client-jvm; do
  if ! classpath "$artifact"; then
    grep -m 1 ERROR "$folder/$artifact.log" >&2 || true
    echo "Spark Connect: not tried, because Maven could not fetch $artifact."
    exit 0
  fi
done

awk 'BEGIN { srand(1); print "y,a,b"
  for (i = 0; i < 20000; i++) {
    a = rand() - 0.5; b = rand() - 0.5; print (rand() < 1 / (1 + exp(-a + 2 * b))) "," a "," b
  } }' >"$folder/t.csv"
mapfile -t options < <(java -cp "$target/lampyris.jar:$(cat "$target/spark.classpath")" org.lampyris.driver.ModuleOptions)
port=$((20000 + RANDOM % 10000))
java -Xmx2g "${options[@]}" "-Dlog4j2.configurationFile=file:$scripts/log4j2.properties" \
  -cp "$(cat "$target/spark.classpath"):$(cat "$folder/spark-connect.classpath")" org.apache.spark.deploy.SparkSubmit \
  --master 'local[2]' --conf spark.ui.enabled=false --conf spark.driver.host=127.0.0.1 \
  --conf spark.connect.grpc.binding.address=127.0.0.1 --conf "spark.connect.grpc.binding.port=$port" \
  --conf "spark.sql.warehouse.dir=$folder/warehouse" --jars "$target/lampyris.jar" \
  --class org.apache.spark.sql.connect.service.SparkConnectServer spark-internal >"$folder/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
until (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
  kill -0 "$server" 2>/dev/null || { cat "$folder/server.log" >&2; exit 1; }
  sleep 0.5
done
java "${options[@]}" -cp "$(cat "$folder/spark-connect-client-jvm.classpath")" \
  "$smoke/ConnectClient.java" "sc://127.0.0.1:$port" "$folder" >"$folder/client.log" 2>&1 ||
  { tail -n 30 "$folder/server.log" "$folder/client.log" >&2; exit 1; }
log=$folder/command.log
"$scripts/lampyris" run --not-converged 0 --set "data.input=$folder/t.csv" --set 'model.formula=y ~ a + b' \
  --set sampler.draws=100 --set "output=$folder/local" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
cmp "$folder/remote/draws.csv" "$folder/local/draws.csv"
echo "Spark Connect: the draws are the command's."
