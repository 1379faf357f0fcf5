# A MongoDB-compatible stand-in, not MongoDB: Main.java describes the differences.
# shellcheck shell=bash disable=SC2034,SC2154
version=1.47.0 what="MongoDB-compatible stand-in (mongo-java-server $version)" takes='about 10 s' build_inputs=(pom.xml Main.java ReplicaSet.java)
default_port=${CAIRN_MONGODB_PORT:-27017} port_setting=CAIRN_MONGODB_PORT
# Writing its data at the end may take longer than other engines need.
stop_within=60

build_needs() {
  need_maven && need_java
  need javac 'a JDK, not only a Java runtime (Debian: apt install openjdk-17-jdk-headless)'
}

build() {
  copy_jars "$1/libs"
  javac -cp "$1/libs/*" -d "$1/classes" "$native"/mongodb/{Main,ReplicaSet}.java
}

prepare() { need_java; }

start() {
  launch java -Xms64m -Xmx512m -XX:+UseSerialGC -cp "$built/classes:$built/libs/*" Main "$port" "$home/data" "rs0/127.0.0.1:$port"
}

is_ready() { tcp_open "$port"; }

settings() { export_setting CAIRN_MONGODB_URL "mongodb://127.0.0.1:$port/?replicaSet=rs0"; }
