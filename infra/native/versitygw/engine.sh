# Versity S3 Gateway over a folder: a second, independent S3 server, so that tests can tell S3 behavior from MinIO's.
# shellcheck shell=bash disable=SC2034,SC2154
version=v1.8.0 what="Versity S3 Gateway $version" takes='1 to 5 minutes'
default_port=${CAIRN_VERSITYGW_PORT:-7070} port_setting=CAIRN_VERSITYGW_PORT

build_needs() { need_go; }
build() { go_install "github.com/versity/versitygw/cmd/versitygw@$version" "$1"; }

prepare() {
  mkdir -p "$home/data" "$home/sidecar"
  credentials
}

# Object metadata is kept in a separate folder, because extended attributes, the default, are missing on some file
# systems.
start() {
  ROOT_ACCESS_KEY=$user ROOT_SECRET_KEY=$password \
    launch "$built/versitygw" --port "127.0.0.1:$port" --region us-east-1 --health /healthz --quiet \
    posix --sidecar "$home/sidecar" "$home/data"
}

is_ready() { http_ok "$port" /healthz; }

settings() {
  credentials
  export_setting CAIRN_VERSITYGW_ENDPOINT "http://127.0.0.1:$port"
  export_setting CAIRN_VERSITYGW_ACCESS_KEY_ID "$user"
  export_setting CAIRN_VERSITYGW_SECRET_ACCESS_KEY "$password"
}
