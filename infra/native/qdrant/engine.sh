# A facade over Qdrant's own engine, not the Qdrant server: facade.py describes the differences.
# shellcheck shell=bash disable=SC2034,SC2154
what="facade over Qdrant's engine" takes='about 15 s' build_inputs=(requirements.txt)
version=$(python_version)
default_port=${CAIRN_QDRANT_PORT:-6333} port_setting=CAIRN_QDRANT_PORT

build_needs() { need_python; }
build() { python_environment "$1"; }

# Runs without an API key unless CAIRN_QDRANT_API_KEY_FILE names a file with one; the file's name is kept for `env`.
prepare() {
  rm -f "$home/api-key-file"
  if [ -n "${CAIRN_QDRANT_API_KEY_FILE:-}" ]; then absolute "$CAIRN_QDRANT_API_KEY_FILE" >"$home/api-key-file"; fi
}

start() {
  local key=()
  if [ -f "$home/api-key-file" ]; then key=(--api-key-file "$(<"$home/api-key-file")"); fi
  PYTHONUNBUFFERED=1 launch "$built/bin/python" "$native/qdrant/facade.py" --port "$port" --data "$home/data" "${key[@]}"
}

is_ready() { http_ok "$port" /readyz; }

settings() {
  export_setting CAIRN_QDRANT_URL "http://127.0.0.1:$port"
  if [ -f "$home/api-key-file" ]; then export_setting CAIRN_QDRANT_API_KEY "$(<"$(<"$home/api-key-file")")"; fi
}
