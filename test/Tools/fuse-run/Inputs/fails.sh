#!/bin/sh
# fails.sh STATUS FOLDER COMMAND...: runs the command, which has to end with
# that status, print nothing on standard output and one error, which is shown.
status=$1 folder=$2
shift 2
mkdir -p "$folder"
"$@" > "$folder/stdout" 2> "$folder/stderr"
got=$?
cat "$folder/stderr"
if [ $got -ne "$status" ]; then
  echo "ended with $got instead of $status" >&2
  exit 1
fi
if [ -s "$folder/stdout" ]; then
  echo "printed on standard output:" >&2
  cat "$folder/stdout" >&2
  exit 1
fi
# fuse-run's own line, or a diagnostic and the line that says what followed.
if [ "$(grep -c '^fuse-run: error: ' "$folder/stderr")" -gt 1 ]; then
  echo "complained more than once" >&2
  exit 1
fi
test -s "$folder/stderr"
