# Toxiproxy: links that are slow, cut or lossy on request. Links are created through its HTTP API.
# shellcheck shell=bash disable=SC2034,SC2154
version=v2.12.0 what="Toxiproxy $version" takes='about a minute'
default_port=${CAIRN_TOXIPROXY_PORT:-8474} port_setting=CAIRN_TOXIPROXY_PORT

build_needs() { need_go; }
build() { go_install "github.com/Shopify/toxiproxy/v2/cmd/server@$version" "$1"; }

# The empty list of links puts this folder on the command line, by which the running process is recognized.
prepare() { echo '[]' >"$home/links.json"; }
start() { launch "$built/server" -host 127.0.0.1 -port "$port" -config "$home/links.json"; }

is_ready() { http_ok "$port" /version; }

settings() { export_setting CAIRN_TOXIPROXY_URL "http://127.0.0.1:$port"; }
