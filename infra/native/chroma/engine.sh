# Chroma's server, which Cairn does not use; benchmarks compare the cluster with it.
# shellcheck shell=bash disable=SC2034,SC2154
what="Chroma's server" takes='about a minute' build_inputs=(requirements.txt)
version=$(python_version)
default_port=${CAIRN_CHROMA_PORT:-8000} port_setting=CAIRN_CHROMA_PORT

build_needs() { need_python; }
build() { python_environment "$1"; }

start() {
  # Runs the script with the interpreter, because its shebang names the build folder, which has been moved.
  ANONYMIZED_TELEMETRY=False launch "$built/bin/python" "$built/bin/chroma" run --path "$home/data" --host 127.0.0.1 --port "$port"
}

is_ready() { http_ok "$port" /api/v2/heartbeat; }

settings() { export_setting CAIRN_CHROMA_URL "http://127.0.0.1:$port"; }
