#!/bin/sh
# The main job, end to end, without any network: what a new user sees first.
set -eu
out=demo-results
if python -c 'import pya0' 2>/dev/null; then system=bm25; else system=bm25-no-tok; fi

echo "== 1. through MTEB: mteb run -t SABERMathMini -m saber/$system"
mteb run -t SABERMathMini -m "saber/$system" --output-folder "$out/mteb" --overwrite-strategy always
echo
echo "== 2. the same through our own command, which also keeps the run files"
for key in "$system" jaccard-no-tok; do
    saber-mteb run "$key" --benchmark mini --output "$out/saber"
done
