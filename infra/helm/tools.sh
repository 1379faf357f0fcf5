#!/usr/bin/env bash
# What the chart is checked with: helm, kubeconform, and the schemas of every kind the chart has, for the oldest and the newest
# Kubernetes it is meant for. Each is fetched or built once into the cache. `where` builds nothing, and fails when something is missing.
set -euo pipefail
shopt -s inherit_errexit

readonly helm_version=v3.22.0 kubeconform_version=v0.8.0
readonly kubernetes_versions=(v1.30.14 v1.36.3)
# module@version and the files in it that define kinds
readonly definitions=(
  'github.com/kedacore/keda/v2@v2.21.0 config/crd/bases/keda.sh_scaledobjects.yaml'
  'github.com/prometheus-operator/prometheus-operator@v0.85.0 example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml'
  'sigs.k8s.io/gateway-api@v1.4.1 config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'
)
readonly lock_within=900

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${CAIRN_ENGINES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/cairn/engines}
schemas_hash=$(cat "$here/tools.sh" "$here/write-schemas.ts" | sha256sum | head -c 12)
readonly here cache schemas_hash
readonly helm=$cache/helm/$helm_version kubeconform=$cache/kubeconform/$kubeconform_version schemas=$cache/kubernetes-schemas/$schemas_hash

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*" && exit 1; }

# go_install <package@version> <folder>: a static binary. Its sources' hashes are checked against Go's public log.
go_install() { CGO_ENABLED=0 GOBIN=$2 go install -trimpath -ldflags '-s -w' "$1"; }

build_helm() { go_install "helm.sh/helm/v3/cmd/helm@$helm_version" "$1"; }
build_kubeconform() { go_install "github.com/yannh/kubeconform/cmd/kubeconform@$kubeconform_version" "$1"; }

# folder_of <module@version>: fetched, without the modules it needs itself.
folder_of() { go mod download -json "$1" | sed -nE 's/^\t"Dir": "(.*)",?$/\1/p'; }

build_schemas() {
  local modules=$1.modules version arguments=() files module
  # Modules of its own, gone when it is done: all of Kubernetes for a few files.
  export GOMODCACHE=$modules GOFLAGS="${GOFLAGS:-} -modcacherw"
  for version in "${kubernetes_versions[@]}"; do
    arguments+=("$version=$(folder_of "k8s.io/kubernetes@$version")/api/openapi-spec/v3")
  done
  for module in "${definitions[@]}"; do
    read -ra files <<<"$module"
    module=$(folder_of "${files[0]}")
    arguments+=("${files[@]:1}")
    arguments=("${arguments[@]/#config\//$module/config/}")
    arguments=("${arguments[@]/#example\//$module/example/}")
  done
  node "$here/../../scripts/with-node.mjs" node "$here/write-schemas.ts" "$helm/helm" "$1" "${arguments[@]}"
}

# make <folder> <function>: complete or absent, so that an interrupted build leaves no folder that looks complete.
make() {
  local folder=$1 part=$1.part started=$SECONDS log=$1.log
  [ -d "$folder" ] && return
  mkdir -p "$(dirname "$folder")"
  exec 9>"$folder.lock"
  flock --timeout "$lock_within" 9 || fail "gave up waiting for $folder.lock"
  [ -d "$folder" ] && return
  say "makes $folder"
  rm -rf "$part" "$part.modules" && mkdir -p "$part"
  # In a shell of its own: `set -e` is off inside a command whose result is used.
  set +e
  (
    set -e
    renice -n 10 "$BASHPID" >/dev/null
    "$2" "$part"
  ) >"$log" 2>&1 9>&-
  local outcome=$?
  set -e
  rm -rf "$part.modules"
  if [ "$outcome" -ne 0 ]; then
    tail -n 20 "$log" >&2
    fail "could not be made; all of the log: $log"
  fi
  mv "$part" "$folder"
  say "made in $((SECONDS - started)) s"
}

case ${1:-} in
  build)
    command -v go >/dev/null || fail 'needs go, which is not installed: Go 1.26 or later (https://go.dev/dl)'
    command -v flock >/dev/null || fail 'needs flock, which is not installed: util-linux'
    make "$helm" build_helm
    make "$kubeconform" build_kubeconform
    make "$schemas" build_schemas
    ;;
  where)
    for folder in "$helm" "$kubeconform" "$schemas"; do
      [ -d "$folder" ] || fail "$folder is missing: bash infra/helm/tools.sh build"
    done
    ;;
  *) fail 'usage: infra/helm/tools.sh build|where' ;;
esac
printf '%s\n' "$helm/helm" "$kubeconform/kubeconform" "$schemas"
