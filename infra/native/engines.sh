#!/usr/bin/env bash
# Runs the engines of a cluster as plain processes on 127.0.0.1, for machines without container images. Linux only.
# Engine-specific code is in <engine>/engine.sh next to this file.
set -euo pipefail
shopt -s inherit_errexit
# Data, logs and credentials are readable only by this user.
umask 077

usage() {
  cat <<'TEXT'
usage: infra/native/engines.sh up|down|status|reset|env|fetch [engine...]

  up      fetches or builds what is missing, starts the engines, waits until they answer; leaves alone what runs
  down    stops them and keeps their data
  status  one line an engine; fails when one has died or doesn't answer
  reset   stops them and deletes their data and credentials
  fetch   fetches or builds what is missing, and prints where each is; starts nothing
  env     prints `export NAME=value`, credentials included, for the engines that run:  eval "$(infra/native/engines.sh env)"

engines: kafka mongodb qdrant minio (all four when none is named), seaweedfs (a second S3 server), toxiproxy (slow and cut
         links), chroma (what benchmarks compare with)
settings: CAIRN_ENGINES_DIR (data, logs; default data/engines), CAIRN_ENGINES_CACHE (downloads and builds), CAIRN_<ENGINE>_PORT
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
native=$root/infra/native
# MinIO comes last, because its first build takes minutes; the other engines are up meanwhile.
readonly usual_engines=(kafka mongodb qdrant minio)
all_engines=("$native"/*/engine.sh) && all_engines=("${all_engines[@]%/engine.sh}")
readonly all_engines=("${all_engines[@]##*/}")
readonly ready_within=60 lock_within=1200

absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
cache=$(absolute "${CAIRN_ENGINES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/cairn/engines}")
# The default is the repository's folder, not the current one, so that commands use the same engines from any folder.
engines_dir=$(absolute "${CAIRN_ENGINES_DIR:-${CAIRN_DATA_DIR:-$root/data}/engines}")
readonly root native cache engines_dir

# Prints everything on stderr, because the output of `env` is evaluated.
say() { printf '%-9s  %s\n' "$name" "$*" >&2; }
fail() { say "$*" && exit 1; }

# need <command> <what to install>
need() { command -v "$1" >/dev/null || fail "needs $1, which is not installed: $2"; }

# at_least <wanted> <found>: compares versions such as 3.10 and 3.9.
at_least() { [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

need_java() {
  local found
  need java 'a JDK 17 or later (Debian: apt install openjdk-17-jdk-headless)'
  found=$(java -version 2>&1 | sed -nE 's/.* version "([0-9.]+).*/\1/p')
  at_least 17 "$found" || fail "needs Java 17 or later, found $found (Debian: apt install openjdk-17-jdk-headless)"
}

need_maven() { need mvn 'Apache Maven (Debian: apt install maven)'; }

need_go() {
  local found
  need go 'Go 1.24 or later (https://go.dev/dl)'
  found=$(go env GOVERSION) && found=${found#go}
  at_least 1.24 "$found" || fail "needs Go 1.24 or later, found $found (https://go.dev/dl)"
}

# Separate builds for each Python version, because an environment works only with the interpreter that created it.
python_version() { basename "$(readlink -f "$(type -P python3 || echo python3)")"; }

need_python() {
  local found
  need python3 'Python 3.10 or later with venv (Debian: apt install python3-venv)'
  found=$(python3 -c 'import platform; print(platform.python_version())')
  at_least 3.10 "$found" || fail "needs Python 3.10 or later, found $found"
  python3 -c 'import ensurepip' 2>/dev/null || fail 'needs the venv module of Python (Debian: apt install python3-venv)'
}

# python_environment <folder>: creates an environment with the packages in the engine's requirements.txt.
python_environment() {
  python3 -m venv "$1"
  "$1/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$native/$name/requirements.txt"
}

# go_install <package@version> <folder>: a static binary. Its sources' hashes are checked against Go's public log.
go_install() { CGO_ENABLED=0 GOBIN=$2 go install -trimpath -ldflags '-s -w' "$1"; }

# shellcheck source=infra/native/go-program.sh
source "$native/go-program.sh"

# copy_jars <folder>: copies the jars of the engine's pom.xml and their dependencies.
copy_jars() { mvn --batch-mode --quiet --file "$native/$name/pom.xml" dependency:copy-dependencies "-DoutputDirectory=$1" -DincludeScope=runtime; }

# random_hex <bytes>
random_hex() { od -An -tx1 -N "$1" /dev/urandom | tr -d ' \n'; }

# Sets user and password: random values, generated at the engine's first start and kept until `reset`.
credentials() {
  if [ ! -f "$home/credentials" ]; then
    printf '%s\n' "cairn-$(random_hex 6)" "$(random_hex 24)" >"$home/credentials.part"
    mv "$home/credentials.part" "$home/credentials"
  fi
  { read -r user && read -r password; } <"$home/credentials"
}

tcp_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# need_port <port> <setting that moves it>
need_port() {
  if tcp_open "$1"; then fail "can't start: another process listens on 127.0.0.1:$1; $2 moves this one"; fi
}

# http_ok <port> <path>: does not use curl, which some machines lack.
http_ok() {
  (
    exec 3<>"/dev/tcp/127.0.0.1/$1"
    printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$2" "$1" >&3
    IFS= read -r -t 2 line <&3
    [[ $line == 'HTTP/1.'?' 200'* ]]
  ) 2>/dev/null
}

# export_setting <name> <value>
export_setting() { printf 'export %s=%q\n' "$1" "$2"; }

# `set -e` is off inside a command whose result is tested with if, && or ||. Commands that must stop at the first
# failure are therefore run by this function, and `outcome` is checked afterwards.
attempt() {
  set +e
  (
    set -e
    "$@"
  )
  outcome=$?
  set -e
}

locks=()

# lock <file>: holds the lock until this shell and all processes that inherited the lock have exited.
lock() {
  local lock
  mkdir -p "$(dirname "$1")"
  exec {lock}>"$1"
  locks+=("$lock")
  flock --nonblock "$lock" && return
  say 'waits for another engines.sh that is at it'
  flock --timeout "$lock_within" "$lock" || fail "gave up waiting for $1"
}

# Closes the locks for processes that outlive this shell: an engine would otherwise hold the lock as long as it runs.
drop_locks() {
  local lock
  for lock in "${locks[@]}"; do exec {lock}>&-; done
}

# Sets name, home, log and the defaults that an engine.sh may override.
load() {
  name=$1 home=$engines_dir/$1 log=$engines_dir/$1/engine.log
  stop_within=15 takes='some seconds' build_inputs=()
  prepare() { :; }
  # shellcheck source=/dev/null
  source "$native/$name/engine.sh"
  # Uses the port of the running engine, because the shell's settings may have changed since its start.
  port=$default_port
  if running >/dev/null && [ -s "$home/port" ]; then port=$(<"$home/port"); fi
}

# Prints the engine's pid if it runs. After a crash, the pid may belong to another process, so its command line must
# contain the engine's folder, as the command lines of all engines do.
running() {
  local pid
  [ -s "$home/pid" ] && pid=$(<"$home/pid") && [ -r "/proc/$pid/cmdline" ] || return 1
  [[ $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null) == *" $home/"* ]] && echo "$pid"
}

# Prints the build folder. Its name has the version and a hash of the input files, so that a change of either causes a
# new build, and going back to the old one needs no build.
build_folder() {
  local hash=''
  if [ ${#build_inputs[@]} -gt 0 ]; then hash=-$(cd "$native/$name" && cat "${build_inputs[@]}" | sha256sum | head -c 12); fi
  echo "$cache/$name/$version$hash"
}

# Fetches or builds the engine if the cache lacks this version; sets `built`.
install() {
  built=$(build_folder)
  [ -d "$built" ] && return
  build_needs
  lock "$cache/$name/.lock"
  [ -d "$built" ] && return
  local started=$SECONDS part=$built.part build_log=$cache/$name/build.log
  say "fetches and builds $what (once; $takes)"
  rm -rf "$part" && mkdir -p "$part"
  attempt nice_build "$part" >"$build_log" 2>&1
  if [ "$outcome" -ne 0 ]; then
    tail -n 20 "$build_log" >&2
    fail "could not be fetched or built; all of the log: $build_log"
  fi
  # The folder appears only when complete, so an interrupted build is never used.
  mv "$part" "$built"
  say "fetched and built in $((SECONDS - started)) s"
}

# Other work on the machine takes precedence.
nice_build() {
  drop_locks
  renice -n 10 "$BASHPID" >/dev/null
  build "$1"
}

# launch <command...>: starts the engine in a new session, so that neither Ctrl-C nor closing this terminal ends it.
launch() {
  if [ -f "$log" ]; then mv "$log" "$log.previous"; fi
  echo "$port" >"$home/port"
  (drop_locks && exec setsid "$@") >"$log" 2>&1 </dev/null &
  echo $! >"$home/pid"
}

wait_until_ready() {
  local pid=$1 deadline=$((SECONDS + ready_within))
  while kill -0 "$pid" 2>/dev/null; do
    is_ready && return
    if [ "$SECONDS" -ge "$deadline" ]; then
      stop "$pid" || true
      give_up_start "did not answer within $ready_within s"
    fi
    sleep 0.1
  done
  give_up_start 'ended while it started'
}

give_up_start() {
  tail -n 20 "$log" >&2
  rm -f "$home/pid"
  fail "$1; all of the log: $log"
}

up() {
  local pid started=$SECONDS
  lock "$engines_dir/.$name.lock"
  # Loaded again under the lock, because another `up` may have just started the engine.
  load "$name"
  if pid=$(running); then
    wait_until_ready "$pid"
    say "runs already: $what on 127.0.0.1:$port, pid $pid"
    return
  fi
  if [ -f "$home/pid" ]; then
    say "had died (pid $(<"$home/pid") is gone or another process's); is started again"
    rm -f "$home/pid"
  fi
  need_port "$port" "$port_setting"
  install
  mkdir -p "$home"
  prepare
  # Checked again, possibly minutes later: another process on the port would answer the readiness check in this engine's
  # place.
  need_port "$port" "$port_setting"
  start
  pid=$(<"$home/pid")
  wait_until_ready "$pid"
  say "runs: $what on 127.0.0.1:$port, pid $pid ($((SECONDS - started)) s)"
}

# stop <pid>: sends SIGTERM, then SIGKILL if the process does not exit.
stop() {
  local pid=$1 deadline=$((SECONDS + stop_within))
  kill -TERM "$pid" 2>/dev/null || return 0
  while running >/dev/null; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      say "does not end within $stop_within s of SIGTERM, is killed"
      kill -KILL "$pid" 2>/dev/null || true
      deadline=$((SECONDS + 5)) stop_within=5
    fi
    sleep 0.1
  done
}

down() {
  local pid
  lock "$engines_dir/.$name.lock"
  if pid=$(running); then
    stop "$pid"
    say 'stopped'
  elif [ -f "$home/pid" ]; then
    say 'had died already'
  else
    say 'does not run'
  fi
  rm -f "$home/pid"
}

reset() {
  down
  # Only removes a folder in which an engine was started, because the setting may point to an unrelated folder.
  [ -f "$home/port" ] || return 0
  rm -rf "$home"
  say 'data deleted'
}

status() {
  local pid
  if pid=$(running); then
    is_ready || fail "does not answer: $what on 127.0.0.1:$port, pid $pid; log: $log"
    printf '%-9s  runs: %s on 127.0.0.1:%s, pid %s\n' "$name" "$what" "$port" "$pid"
  elif [ -f "$home/pid" ]; then
    fail "died (pid $(<"$home/pid") is gone or another process's); log: $log"
  else
    printf '%-9s  does not run\n' "$name"
  fi
}

env() {
  if running >/dev/null && is_ready; then settings; fi
}

fetch() {
  install
  echo "$built"
}

act() {
  load "$2"
  "$1"
}

main() {
  local action=${1:-} engine status=0 engines
  case $action in
    up | down | status | reset | env | fetch) shift ;;
    help | -h | --help) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
  engines=("$@")
  if [ $# -eq 0 ]; then
    engines=("${usual_engines[@]}")
    # `up` and `fetch` default to the usual engines; other actions default to all, so that every running engine is shown
    # or stopped.
    if [ "$action" != up ] && [ "$action" != fetch ]; then engines=("${all_engines[@]}"); fi
  fi
  for engine in "${engines[@]}"; do
    [[ " ${all_engines[*]} " == *" $engine "* ]] || { echo "no such engine: $engine (there are: ${all_engines[*]})" >&2 && exit 2; }
  done
  name=engines
  [ -r /proc/self/cmdline ] || fail 'run natively on Linux only; elsewhere, tests start containers'
  for engine in setsid flock; do need "$engine" 'util-linux'; done
  # Runs each engine in a subshell, so that its variables and failures do not affect the next.
  for engine in "${engines[@]}"; do
    attempt act "$action" "$engine"
    [ "$outcome" -eq 0 ] || status=1
  done
  exit "$status"
}

main "$@"
