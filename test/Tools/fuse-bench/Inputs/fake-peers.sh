#!/bin/sh
# Stands in for a Python with PyTorch: answers as peers.py would, and keeps what it
# was asked.
echo '{"torch": "0", "device": "none"}'
while read -r request; do
  echo "$request" >> "$FAKE_PEERS_LOG"
  case $request in
  *'"jax"'*) exec sleep 60 ;;
  *'"tuned"'*) exit 1 ;;
  *'"softmax"'*) echo '{"states": {}, "errors": {"all": "out of memory"}}' ;;
  *)
    row='{"floor": 1.23456, "peers": {"eager": 1234.5678}}'
    echo "{\"states\": {\"sustained\": $row, \"cold\": $row}, \"errors\": {}}"
    ;;
  esac
done
