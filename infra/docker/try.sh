#!/usr/bin/env bash
# Tests the image, docker-compose.yml and the test containers on a Debian machine without a Docker daemon or a registry: starts a separate
# daemon, builds stand-ins for the published images (stand-ins/make.sh says which are real), builds the image from infra/Dockerfile, and runs
# a cluster through its lifecycle. Run it by hand, as root, with Go, Maven, a JDK and curl. Takes about 10 minutes, and half an hour more the
# first time, when engines, compose and Prometheus are built.
#
#   infra/docker/try.sh [folder]    uses 3 GB in the folder, which is removed at the end; default: a temporary folder
#
# CAIRN_TRY_EMBEDDER=lexical leaves the model out.
#
# Nothing can be reached from outside, which is checked: the daemon listens on a socket only and publishes container ports on 127.0.0.1 only.
# At the end, the daemon's network devices and rules are removed.
set -euo pipefail
shopt -s inherit_errexit

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/cairn
compose_version=v2.40.3
work=${1:-$(mktemp -d)}
log=$work/try.log
readonly root cache compose_version work log
readonly adapters=(packages/adapters/src/{message-bus/kafka,store/mongodb,vector-index/qdrant,file-store/s3}.int.test.ts)
# Compose with the files of an earlier docker-compose.yml, which are in MinIO.
readonly minio=(docker compose --project-directory "$root" -f "$root/docker-compose.yml" -f "$root/infra/docker/minio.yml")
readonly journeys=(e2e/journeys/{documents,search,vectors,files-searched,files-clients}.test.ts)

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'FAILED: %s; all that was said is in %s\n' "$*" "$log" >&2 && exit 1; }

# timed <what> <seconds> <command...>: prints how long the command took; its output goes to the log and is printed on
# failure.
timed() {
  local what=$1 within=$2 from=$EPOCHREALTIME
  shift 2
  echo "-- $what: $*" >>"$log"
  if ! timeout --foreground "$within" "$@" >>"$log" 2>&1; then
    tail -n 40 "$log" >&2
    fail "$what (of $within s at most)"
  fi
  printf '%-52s %6.1f s\n' "$what" "$(awk "BEGIN { print $EPOCHREALTIME - $from }")"
}

# eventually <seconds> <command...>
eventually() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    if [ "$SECONDS" -ge "$deadline" ]; then return 1; fi
    sleep 0.5
  done
}

compose() { docker compose --project-directory "$root" "$@"; }
with_node() { (cd "$root" && node scripts/with-node.mjs "$@"); }
secret() { compose exec -T gateway node -p "fs.readFileSync('/secrets/$1', 'utf8').trim()"; }
of_secrets() { compose run --rm --no-deps secrets node -p "fs.readFileSync('/secrets/$1', 'utf8').trim()"; }
# metric <index> <line's beginning>: prints a metric of one of the ingestion containers.
metric() {
  compose exec -T --index "$1" ingestion \
    node -e "fetch('http://127.0.0.1:3000/metrics').then((answer) => answer.text()).then((text) => process.stdout.write(text))" |
    awk -v name="$2" 'index($0, name) == 1 { print $NF }'
}
members() {
  timeout 60 docker compose --project-directory "$root" exec -T kafka /opt/kafka/bin/kafka-consumer-groups.sh \
    --bootstrap-server localhost:9092 --describe --group ingestion.cairn.uploads --members 2>/dev/null |
    awk '$1 == "ingestion.cairn.uploads" { print $NF }'
}
three_share() { [ "$(members | sort | tr '\n' ' ')" = '4 4 4 ' ]; }
asked_prometheus() {
  local answer
  answer=$(curl -fsS -G localhost:9090/api/v1/query --data-urlencode "query=$1") || return 1
  with_node node -p 'JSON.parse(process.argv[1]).data.result[0]?.value[1]' "$answer"
}
seven_up() { [ "$(asked_prometheus 'count(up{job!="prometheus"} == 1)')" = 7 ]; }
send_span() {
  compose exec -T gateway node -e "fetch('http://collector:4318/v1/traces', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174',
    name: 'try', kind: 1, startTimeUnixNano: '1', endTimeUnixNano: '2' }] }] }] }) }).then(({ ok }) => process.exit(ok ? 0 : 1))"
}
span_arrived() { compose logs collector 2>/dev/null | grep -q '"spans": 1'; }
answers() { docker version >/dev/null 2>&1; }
open_to_others() { ss --listening --tcp --numeric --processes --no-header | awk '/docker-proxy/ && $4 !~ /^127\.0\.0\.1:/'; }
loopback_only() {
  local open
  open=$(open_to_others)
  [ -z "$open" ] || fail "ports are open to others: $open"
}

# A table that did not exist is emptied, because there is nothing to restore.
rules_before() {
  cat "$work/iptables.before"
  grep -q '^\*filter' "$work/iptables.before" || printf '*filter\n:INPUT ACCEPT\n:FORWARD ACCEPT\n:OUTPUT ACCEPT\nCOMMIT\n'
  grep -q '^\*nat' "$work/iptables.before" || printf '*nat\n:PREROUTING ACCEPT\n:INPUT ACCEPT\n:OUTPUT ACCEPT\n:POSTROUTING ACCEPT\nCOMMIT\n'
}

# Undoes the daemon's changes to the machine.
clean_up() {
  local code=$?
  set +e
  rm -f "$work/watched"
  if [ -s "$work/docker.pid" ]; then
    docker ps --quiet | xargs --no-run-if-empty docker kill >/dev/null 2>&1
    kill "$(<"$work/docker.pid")"
    eventually 30 test ! -e "$work/docker.pid" || echo "the daemon did not end, see $work/dockerd.log" >&2
    rules_before | iptables-restore
    cat "$work/ip-forward.before" >/proc/sys/net/ipv4/ip_forward
    ip -brief link show type bridge | awk '$1 == "docker0" || $1 ~ /^br-/ { print $1 }' | xargs --no-run-if-empty -n 1 ip link delete
  fi
  if [ "$code" -eq 0 ]; then rm -rf "$work"; fi
  exit "$code"
}

install_docker() {
  apt-get update --quiet
  DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends docker.io iptables debootstrap
}

# Debian does not package this major version of compose.
build_compose() {
  source "$root/infra/native/go-program.sh"
  go_program "$cache/docker" "docker-compose-$compose_version" github.com/docker/compose/v2 "$compose_version" github.com/docker/compose/v2/cmd
}

start_daemon() {
  iptables-save >"$work/iptables.before"
  cat /proc/sys/net/ipv4/ip_forward >"$work/ip-forward.before"
  (dockerd --host "$DOCKER_HOST" --ip 127.0.0.1 --data-root "$work/data" --exec-root "$work/exec" --pidfile "$work/docker.pid" \
    >"$work/dockerd.log" 2>&1 </dev/null &)
  eventually 30 answers
}

# Copies the model of this machine, so that it need not be downloaded. Only the owner can read its files.
bring_model() {
  mkdir -p "$work/models" && cp -r "$cache/models/." "$work/models/" && chmod -R a+rX "$work/models"
  compose run --rm --no-deps --volume "$work/models:/from:ro" gateway node -e "fs.cpSync('/from', '/cache/models', { recursive: true })"
}

run_adapters() {
  cd "$root"
  # An empty folder of engines, so that the engines running on this machine are not used.
  CAIRN_ENGINES_DIR=$work/none TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1 \
    node scripts/with-node.mjs vitest run "$@" >"$work/adapters.log" 2>&1 || { cat "$work/adapters.log" && return 1; }
  # The log has the reason of tests that did not run, such as an unavailable engine.
  if grep -E '^not run: .* is not set' "$work/adapters.log"; then return 1; fi
}

# Copies the files as docs/deployment.md ("From MinIO") says, by the rclone of this machine, since the image of rclone can't be pulled.
copy_from_minio() {
  command -v rclone || DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends rclone
  compose stop gateway namespace ingestion file-pipeline deletion
  CAIRN_S3_PORT=9001 docker compose --project-directory "$root" -f "$root/docker-compose.yml" -f "$root/infra/docker/minio.yml" up -d --wait --no-deps minio
  compose up -d --wait --no-deps seaweedfs
  RCLONE_CONFIG_FROM_ACCESS_KEY_ID=$(of_secrets s3-access-key-id) RCLONE_CONFIG_FROM_SECRET_ACCESS_KEY=$(of_secrets s3-secret-access-key)
  RCLONE_CONFIG_TO_ACCESS_KEY_ID=$RCLONE_CONFIG_FROM_ACCESS_KEY_ID RCLONE_CONFIG_TO_SECRET_ACCESS_KEY=$RCLONE_CONFIG_FROM_SECRET_ACCESS_KEY
  export RCLONE_CONFIG_{FROM,TO}_{ACCESS_KEY_ID,SECRET_ACCESS_KEY}
  export RCLONE_CONFIG_{FROM,TO}_TYPE=s3 RCLONE_CONFIG_FROM_PROVIDER=Minio RCLONE_CONFIG_TO_PROVIDER=Other
  export RCLONE_CONFIG_FROM_ENDPOINT=http://127.0.0.1:9001 RCLONE_CONFIG_TO_ENDPOINT=http://127.0.0.1:9000
  unset AWS_CA_BUNDLE
  rclone copy from:cairn to:cairn --checksum
  rclone check from:cairn to:cairn --download
}

# watch_ports <file>: runs until the file is removed; records ports that are open to others in <file>.open.
watch_ports() {
  while [ -e "$1" ]; do
    open_to_others >>"$1.open"
    sleep 1
  done
}

export -f install_docker build_compose bring_model run_adapters send_span start_daemon compose eventually answers of_secrets copy_from_minio
export root cache work compose_version
export DOCKER_HOST=unix://$work/docker.sock

[ "$(id -u)" = 0 ] || { echo 'needs to be root: it starts a Docker daemon' >&2 && exit 1; }
# Other work on the machine takes precedence.
renice -n 10 "$$" >/dev/null
mkdir -p "$work"
: >"$log"
trap clean_up EXIT

say 'Docker'
if ! command -v dockerd debootstrap >/dev/null; then timed 'install docker.io and debootstrap' 300 bash -euc install_docker; fi
if ! docker compose version >/dev/null 2>&1; then
  if [ ! -x "$cache/docker/docker-compose-$compose_version" ]; then timed "build compose $compose_version" 900 bash -euc build_compose; fi
  # A separate configuration, so that the user's plug-ins and credentials are not touched.
  export DOCKER_CONFIG=$work/config
  mkdir -p "$DOCKER_CONFIG/cli-plugins" && cp "$cache/docker/docker-compose-$compose_version" "$DOCKER_CONFIG/cli-plugins/docker-compose"
fi
timed 'start the daemon' 40 bash -euc start_daemon
docker version --format 'daemon {{.Server.Version}}, client {{.Client.Version}}'
timed 'make stand-ins for the published images' 1800 "$root/infra/docker/stand-ins/make.sh" "$work/stand-ins"

say 'Image'
timed 'docker compose build' 600 docker compose --project-directory "$root" build secrets
docker image inspect --format '{{.Size}}' cairn:local | numfmt --to=si --suffix=B

say 'Cluster'
export CAIRN_EMBEDDER=lexical
if [ -d "$cache/models" ] && [ "${CAIRN_TRY_EMBEDDER:-local}" = local ]; then
  export CAIRN_EMBEDDER=local
  timed 'bring the model' 120 bash -euc bring_model
fi
timed 'docker compose up -d --wait' 300 docker compose --project-directory "$root" up -d --wait
compose ps --all --format 'table {{.Name}}\t{{.Status}}\t{{.Ports}}'
loopback_only
CAIRN_API_KEY=$(secret api-key) CAIRN_ADMIN_KEY=$(secret admin-key)
export CAIRN_API_KEY CAIRN_ADMIN_KEY

say 'Profile observability: Prometheus and the collector (of Grafana and Jaeger there are no stand-ins)'
timed 'docker compose up -d --wait prometheus collector' 60 \
  docker compose --project-directory "$root" --profile observability up -d --wait prometheus collector

say "npm run demo ($CAIRN_EMBEDDER)"
timed 'npm run demo' 1200 npm --prefix "$root" run demo
grep -E '^Indexed |^The package each query' "$log"

say 'The journeys against it (lexical: from here on it is about containers, not about the model)'
export CAIRN_EMBEDDER=lexical
timed 'docker compose up -d --wait, with another setting' 120 docker compose --project-directory "$root" up -d --wait
E2E_TARGET=http://localhost:3000 timed "${#journeys[@]} files of journeys" 600 npm --prefix "$root" run test:e2e -- "${journeys[@]}"
grep -E ' (Test Files|Tests) ' "$log"

say '--scale ingestion=3'
timed 'docker compose up -d --wait --scale ingestion=3' 120 docker compose --project-directory "$root" up -d --wait --no-recreate --scale ingestion=3
eventually 60 three_share || fail "the partitions are not shared: $(members)"
echo "partitions of each member: $(members | tr '\n' ' ')"
before=(0 "$(metric 1 'cairn_jobs_total{service="ingestion",outcome="done"}')" 0 0)
with_node node infra/docker/try/share-work.mjs
for index in 1 2 3; do
  done_by=$(metric "$index" 'cairn_jobs_total{service="ingestion",outcome="done"}')
  echo "done by ingestion $index: $((done_by - before[index]))"
  [ "$((done_by - before[index]))" -gt 0 ] || fail "ingestion $index did nothing"
done

say 'What Prometheus has seen'
eventually 60 seven_up || fail "Prometheus finds $(asked_prometheus 'count(up{job!="prometheus"} == 1) or vector(0)') of 7 processes"
echo "processes that Prometheus finds: 7, of them ingestion $(asked_prometheus 'count(up{job="ingestion"} == 1)')"
echo "alerts that fire: $(asked_prometheus 'count(ALERTS{alertstate="firing"}) or vector(0)')"
timed 'a span to the collector' 30 bash -euc send_span
eventually 30 span_arrived || fail 'the collector did not get the span'

say 'The edge store'
timed 'docker compose --profile edge up -d --wait edge' 60 docker compose --project-directory "$root" --profile edge up -d --wait edge
loopback_only

say 'End'
timed 'docker compose stop of the services' 15 docker compose --project-directory "$root" stop gateway namespace ingestion file-pipeline deletion edge
for container in $(compose --profile edge ps --all --quiet gateway namespace ingestion file-pipeline deletion edge); do
  docker inspect --format '{{.Name}} ended with {{.State.ExitCode}}' "$container"
done
docker tag cairn:local cairn:before
timed 'up again on the same volumes, by another image' 120 \
  env CAIRN_IMAGE=cairn:before docker compose --project-directory "$root" up -d --wait --no-build
timed 'docker compose down' 15 docker compose --project-directory "$root" --profile edge --profile observability down

say 'A volume of MinIO, met by docker-compose.yml'
timed 'docker compose down --volumes' 60 "${minio[@]}" --profile edge --profile observability --profile seaweedfs down --volumes
timed 'up with infra/docker/minio.yml' 120 "${minio[@]}" up -d --wait
CAIRN_API_KEY=$(secret api-key)
with_node node infra/docker/try/files.mjs put
timed 'down' 60 "${minio[@]}" down
if timed 'up without it, which must fail' 120 bash -euc '! compose up -d --wait'; then compose logs --no-log-prefix setup | grep -o 'The bucket is empty.*' | head -n 1; fi
compose logs setup | grep -q 'try-[0-9]*.txt in the namespace moved' || fail 'setup does not name a file'
timed 'docker compose down' 60 docker compose --project-directory "$root" down
timed 'up with infra/docker/minio.yml again' 120 "${minio[@]}" up -d --wait
with_node node infra/docker/try/files.mjs compare
timed 'copy the files by rclone' 300 bash -euc copy_from_minio
timed 'up without MinIO' 120 docker compose --project-directory "$root" up -d --wait --remove-orphans
with_node node infra/docker/try/files.mjs compare
timed 'docker compose down' 60 docker compose --project-directory "$root" down

say 'Tests on containers (testcontainers)'
: >"$work/watched"
watch_ports "$work/watched" &
timed 'adapters on Kafka, MongoDB, Qdrant, MinIO, SeaweedFS' 900 bash -euc 'run_adapters "$@"' _ "${adapters[@]}"
rm "$work/watched" && wait
[ ! -s "$work/watched.open" ] || fail "ports were open to others: $(sort -u "$work/watched.open")"
grep -E ' (Test Files|Tests) ' "$work/adapters.log"
