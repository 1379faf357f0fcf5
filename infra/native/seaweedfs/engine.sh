# SeaweedFS in one process: the S3 server of docker-compose.yml, and a second one beside MinIO, so that tests can tell S3
# behavior from MinIO's.
# shellcheck shell=bash disable=SC2034,SC2154
version=v0.0.0-20261109003541-7506e5f91cd6 what='SeaweedFS 4.53' takes='3 to 10 minutes'
default_port=${CAIRN_SEAWEEDFS_PORT:-8333} port_setting=CAIRN_SEAWEEDFS_PORT

build_needs() { need_go; }
# The sources replace modules, which `go install` rejects.
build() { go_program "$1" weed github.com/seaweedfs/seaweedfs "$version" github.com/seaweedfs/seaweedfs/weed; }

prepare() {
  mkdir -p "$home/data"
  credentials
}

# The parts of the server talk over ports next to that of S3, each with another one 10,000 above. A short election time,
# because a single server elects itself. The memory limit is that of docker-compose.yml.
start() {
  AWS_ACCESS_KEY_ID=$user AWS_SECRET_ACCESS_KEY=$password GOMEMLIMIT=400MiB \
    launch "$built/weed" server -dir "$home/data" -ip=127.0.0.1 -ip.bind=127.0.0.1 \
    -master.port=$((port + 3)) -master.telemetry=false -master.electionTimeout=1s -master.volumeSizeLimitMB=1024 \
    -volume.port=$((port + 2)) -volume.max=0 -filer -filer.port=$((port + 1)) -s3 -s3.port="$port" -s3.port.iceberg=0 -s3.port.lance=0 -volume.preStopSeconds=1
}

# A volume can be written to, some seconds after the server listens.
is_ready() { http_ok "$port" /status && http_ok $((port + 3)) /dir/assign; }

settings() {
  credentials
  export_setting CAIRN_SEAWEEDFS_ENDPOINT "http://127.0.0.1:$port"
  export_setting CAIRN_SEAWEEDFS_ACCESS_KEY_ID "$user"
  export_setting CAIRN_SEAWEEDFS_SECRET_ACCESS_KEY "$password"
}
