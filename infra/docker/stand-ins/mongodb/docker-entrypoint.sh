#!/bin/bash
# Only --replSet of mongod's options is supported; the only member is the service's name in docker-compose.yml.
set -eu
while [ $# -gt 0 ]; do
  if [ "$1" = --replSet ]; then place=$2/mongodb:27017; fi
  shift
done
: "${place:?this stand-in is a replica set and needs --replSet}"
mkdir -p /data/db
# Prints the line that MongoDB prints and that tests wait for.
(
  for _ in $(seq 300); do
    if mongosh; then echo 'Waiting for connections' && exit; fi
    sleep 0.1
  done
) &
exec java -Xms64m -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '/opt/mongodb/classes:/opt/mongodb/libs/*' Main 27017 /data/db/stand-in "$place" 0.0.0.0
