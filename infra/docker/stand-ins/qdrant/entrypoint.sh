#!/bin/bash
set -eu
key=()
if [ -n "${QDRANT__SERVICE__API_KEY:-}" ]; then
  (umask 077 && printf '%s' "$QDRANT__SERVICE__API_KEY" >/run/api-key)
  key=(--api-key-file /run/api-key)
fi
exec python3 -u facade.py --host 0.0.0.0 --port 6333 --data storage "${key[@]}"
