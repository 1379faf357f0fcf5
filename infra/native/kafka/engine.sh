# Apache Kafka from its published jars: one node that is both broker and controller.
# shellcheck shell=bash disable=SC2034,SC2154
version=4.3.1 what="Apache Kafka $version" takes='about 15 s' build_inputs=(pom.xml)
default_port=${CAIRN_KAFKA_PORT:-9092} port_setting=CAIRN_KAFKA_PORT
controller_port=${CAIRN_KAFKA_CONTROLLER_PORT:-9093}

build_needs() { need_maven && need_java; }
build() { copy_jars "$1/libs"; }

prepare() {
  need_java
  need_port "$controller_port" CAIRN_KAFKA_CONTROLLER_PORT
  sed -e "s|@PORT@|$port|g" -e "s|@CONTROLLER_PORT@|$controller_port|g" -e "s|@DATA@|$home/data|g" \
    "$native/kafka/server.properties" >"$home/server.properties"
  # The cluster id is assigned once, before the first start: 16 bytes in 22 characters.
  [ -f "$home/data/meta.properties" ] && return
  local id
  id=$(head -c 16 /dev/urandom | base64 | tr '+/' 'Aa' | cut -c 1-22)
  java -Xshare:auto -XX:TieredStopAtLevel=1 "-Dlog4j2.configurationFile=$native/kafka/log4j2.xml" -cp "$built/libs/*" \
    kafka.tools.StorageTool format -t "$id" -c "$home/server.properties" >"$home/format.log" 2>&1 || {
    cat "$home/format.log" >&2
    fail "could not make its data folder $home/data"
  }
}

start() {
  # Settings for a quick start and a small process, because tests need no high throughput.
  launch java -Xms256m -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "-Dlog4j2.configurationFile=$native/kafka/log4j2.xml" \
    -cp "$built/libs/*" kafka.Kafka "$home/server.properties"
}

# Kafka listens some time before it serves.
is_ready() { grep -q 'Kafka Server started' "$log" 2>/dev/null && tcp_open "$port"; }

settings() { export_setting CAIRN_KAFKA_BROKERS "127.0.0.1:$port"; }
