#!/usr/bin/env bash
# Builds images with the names and tags that infra/Dockerfile, docker-compose.yml and the test fixtures use, from this machine's files and
# packages of its package managers. Only for testing those files where images can't be pulled.
#
#   infra/docker/stand-ins/make.sh FOLDER    uses the folder for the build contexts; needs debootstrap, a JDK with jlink, Maven, root
set -euo pipefail
shopt -s inherit_errexit
umask 022

work=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
here=$root/infra/docker/stand-ins
cache=${XDG_CACHE_HOME:-$HOME/.cache}/cairn/docker
readonly work root here cache
# shellcheck source=infra/native/go-program.sh
source "$root/infra/native/go-program.sh"

engine() { "$root/infra/native/engines.sh" fetch "$1"; }

# context <name>: creates an empty folder with the files next to the Dockerfile.
context() {
  rm -rf "${work:?}/$1" && mkdir -p "$work/$1"
  cp -r "$here/$1/." "$work/$1/"
}

# build <name> <image>
build() {
  chmod -R a+rX "$work/$1"
  docker build --quiet --tag "$2" "$work/$1" >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2 && return 1; }
  printf '%-48s %s\n' "$2" "$(docker image inspect --format '{{.Size}}' "$2" | numfmt --to=si --suffix=B)"
}

mkdir -p "$cache" "$work"
if [ ! -f "$cache/debian-bookworm.tar" ]; then
  debootstrap --variant=minbase --include=ca-certificates,python3-minimal,libpython3-stdlib bookworm "$work/debian" >"$work/debootstrap.log"
  tar --directory="$work/debian" --create --file="$cache/debian-bookworm.tar.part" .
  rm -rf "$work/debian"
  mv "$cache/debian-bookworm.tar.part" "$cache/debian-bookworm.tar"
fi
docker import - stand-in/debian <"$cache/debian-bookworm.tar" >/dev/null

context distroless
build distroless gcr.io/distroless/cc-debian12:nonroot

context node
cp "$(cd "$root" && node scripts/with-node.mjs node -p process.execPath)" "$work/node/node"
cp -rL "$(npm root --global)/npm" "$work/node/npm"
cp /etc/ssl/certs/ca-certificates.crt "$work/node/"
build node node:24-bookworm-slim

mkdir -p "$work/java"
rm -rf "$work/java/jre"
jlink --add-modules java.se,jdk.unsupported,jdk.management,jdk.crypto.ec,jdk.zipfs --strip-debug --no-man-pages --no-header-files \
  --compress=2 --output "$work/java/jre"
printf 'FROM stand-in/debian\nCOPY jre /opt/jre\nRUN ln -s /opt/jre/bin/java /usr/bin/java\n' >"$work/java/Dockerfile"
build java stand-in/java

context kafka
cp -r "$(engine kafka)/libs" "$work/kafka/libs"
# Needed only for listing consumer groups, not by the broker.
mvn --batch-mode --quiet dependency:copy -Dartifact=org.apache.kafka:kafka-tools:4.3.1 "-DoutputDirectory=$work/kafka/libs"
cp "$root/infra/native/kafka/log4j2.xml" "$work/kafka/"
build kafka apache/kafka:4.3.1

context mongodb
cp -r "$(engine mongodb)/." "$work/mongodb/"
build mongodb mongo:8.0.17

context qdrant
cp -r "$(engine qdrant)"/lib/python3*/site-packages "$work/qdrant/site-packages"
cp "$root/infra/native/qdrant/facade.py" "$work/qdrant/"
build qdrant qdrant/qdrant:v1.18.3

context minio
cp "$(engine minio)/minio" "$work/minio/"
build minio minio/minio:RELEASE.2025-09-07T16-13-09Z

context seaweedfs
cp "$(engine seaweedfs)/weed" "$work/seaweedfs/"
build seaweedfs chrislusf/seaweedfs:4.53

go_program "$cache" prometheus-v0.305.0 github.com/prometheus/prometheus v0.305.0 github.com/prometheus/prometheus/cmd/prometheus
context prometheus
cp "$cache/prometheus-v0.305.0" "$work/prometheus/prometheus"
build prometheus prom/prometheus:v3.5.0

context collector
if [ ! -x "$cache/otelcol-v0.139.0" ]; then
  (cd "$work/collector" && go mod tidy && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$cache/otelcol-v0.139.0" .)
fi
cp "$cache/otelcol-v0.139.0" "$work/collector/otelcol"
build collector otel/opentelemetry-collector:0.139.0
