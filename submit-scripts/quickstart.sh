#!/usr/bin/env bash
# A first posterior: generates a logistic table (1,000,000 rows of 20 features unless told otherwise),
# draws from its posterior, and prints the summary beside the true coefficients.
#
#   submit-scripts/quickstart.sh [--rows 100000] [--output runs/quickstart] [options of spark-submit]
set -euo pipefail

scripts=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rows=1000000
output=$(dirname "$scripts")/runs/quickstart
spark=()
while [ $# -gt 0 ]; do
  case $1 in
    --rows | --output)
      [ $# -ge 2 ] || { echo "quickstart: the option $1 needs a value." >&2; exit 2; }
      if [ "$1" = --rows ]; then rows=$2; else output=$2; fi
      shift 2
      ;;
    --help | -h)
      sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
      exit 0
      ;;
    *)
      spark+=("$1")
      shift
      ;;
  esac
done

"$scripts/lampyris" generate --rows "$rows" --features 20 --correlation 0.3 --seed 1 \
  --output "$output/synthetic" --overwrite ${spark[@]+"${spark[@]}"}
"$scripts/lampyris" run --config "$scripts/quickstart.yaml" \
  --set "data.input=$output/synthetic/table" --set "output=$output/posterior" \
  --truth "$output/synthetic/true_coefficients.csv" --overwrite ${spark[@]+"${spark[@]}"}
