# Chroma's server, no engine of ours: what benchmarks hold the cluster against.
# shellcheck shell=bash disable=SC2034,SC2154
what="Chroma's server" takes='about a minute' build_inputs=(requirements.txt)
version=$(python_version)
default_port=${CAIRN_CHROMA_PORT:-8000} port_setting=CAIRN_CHROMA_PORT

build_needs() { need_python; }
build() { python_environment "$1"; }

start() {
  # By the interpreter: the script names the folder it was built in, which has moved since.
  ANONYMIZED_TELEMETRY=False launch "$built/bin/python" "$built/bin/chroma" run --path "$home/data" --host 127.0.0.1 --port "$port"
}

is_ready() { http_ok "$port" /api/v2/heartbeat; }

settings() { export_setting CAIRN_CHROMA_URL "http://127.0.0.1:$port"; }
