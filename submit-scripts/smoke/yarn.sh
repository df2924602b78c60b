#!/usr/bin/env bash
# Shows that the jar runs on YARN: a resource manager and two node managers on this machine, in client and cluster
# deploy mode, and an application master that is killed and tried again. Draws are compared with local mode.
# Needs spark-yarn of the line of Spark that the jar was built for, which Maven Central has for 4.0.1:
#
#   mvn -Psmoke,spark-4.0 -pl submit-scripts -am clean verify && submit-scripts/smoke/yarn.sh 4.0.1 3.4.1
set -euo pipefail

scripts=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=$(dirname "$scripts")/driver/target
spark=$1 hadoop=$2
folder=$(mktemp -d)
cluster=
trap 'exec 9>&-; [ -z "$cluster" ] || wait "$cluster" || true; rm -rf "$folder"' EXIT

# Prints the path of an artefact's jar, fetched if it is missing.
jar() {
  local file=$HOME/.m2/repository/${1//.//}/$2/$3/$2-$3.jar
  [ -f "$file" ] || mvn -B -q dependency:get -Dtransitive=false "-Dartifact=$1:$2:$3" >&2
  printf '%s' "$file"
}

# An installation: the libraries of the build and spark-yarn, and spark-submit.
mkdir -p "$folder"/spark/{bin,jars}
classpath=$(cat "$target/spark.classpath")
IFS=: read -ra libraries <<<"$classpath"
ln -s "${libraries[@]}" "$(jar org.apache.spark spark-yarn_2.13 "$spark")" "$folder/spark/jars"
cat >"$folder/spark/bin/spark-submit" <<'END'
#!/usr/bin/env bash
mapfile -t options <"$(dirname "$SPARK_HOME")/options"
exec java -Xmx1g "${options[@]}" -cp "$HADOOP_CONF_DIR:$SPARK_HOME/jars/*" org.apache.spark.deploy.SparkSubmit "$@"
END
chmod +x "$folder/spark/bin/spark-submit"
java -cp "$target/lampyris.jar:$classpath" org.lampyris.driver.ModuleOptions >"$folder/options"
mapfile -t options <"$folder/options"

mkfifo "$folder/pipe"
daemons=$(jar org.apache.hadoop hadoop-client-minicluster "$hadoop"):$(jar junit junit 4.13.2)
daemons+=:$(jar javax.xml.bind jaxb-api 2.3.1):$(jar javax.activation javax.activation-api 1.2.0)
for library in bcprov bcpkix bcutil; do daemons+=:$(jar org.bouncycastle "$library-jdk18on" 1.78.1); done
java -Xmx1g "${options[@]}" -cp "$daemons:$classpath" \
  "$scripts/smoke/Yarn.java" "$folder" <"$folder/pipe" >"$folder/yarn.log" 2>&1 &
cluster=$!
exec 9>"$folder/pipe" # the cluster ends when it is closed

cat >"$folder/job.yaml" <<END
data: {input: "$folder/table.csv", label: y, block_rows: 500}
sampler: {algorithm: firefly, plan: stepwise, kernel: mala, warmup: 30, draws: 60, chains: 2, checkpoint_minutes: 0.02}
END
awk 'BEGIN { srand(1); print "y,a,b"; for (i = 0; i < 5000; i++) { a = rand() - 0.5; b = rand() - 0.5
  print (rand() < 1 / (1 + exp(b - 2 * a))) "," a "," b } }' >"$folder/table.csv"

# Runs the job into a folder; prints the log if it fails.
job() {
  local to=$1
  shift
  "$scripts/lampyris" "$@" run --config "$folder/job.yaml" --set "output=$folder/$to" --not-converged 0 \
    >"$folder/$to.log" 2>&1 || { cat "$folder/$to.log" >&2; exit 1; }
}
# Holds that its draws are those of local mode.
same() { cmp "$folder/local/draws.csv" "$folder/$1/draws.csv"; echo "$1: the draws of local mode, in $SECONDS s"; }

job local --master 'local[2]'
until grep -qs '^ready' "$folder/yarn.log"; do
  kill -0 "$cluster" || { cat "$folder/yarn.log" >&2; exit 1; }
  sleep 1
done
export SPARK_HOME=$folder/spark HADOOP_CONF_DIR=$folder/conf
yarn=(--master yarn --driver-memory 800m --executor-memory 600m --num-executors 2 --conf spark.ui.enabled=false
  --conf "spark.yarn.jars=local:$folder/spark/jars/*" --conf "spark.yarn.stagingDir=$folder" --conf spark.yarn.maxAppAttempts=2)
job client "${yarn[@]}" --deploy-mode client
same client
job cluster "${yarn[@]}" --deploy-mode cluster
same cluster
(
  until ls "$folder"/killed/checkpoint/checkpoint-*.json >/dev/null 2>&1; do sleep 0.2; done
  kill -KILL $(pgrep -f "ApplicationMaster.*$folder/killed") # the driver: its command line has the folder
) &
job killed "${yarn[@]}" --deploy-mode cluster
wait $!
same killed
