# MinIO: one node, one folder, built from its module.
# shellcheck shell=bash disable=SC2034,SC2154
version=v0.0.0-20260212201848-7aac2a2c5b7c what='MinIO (February 2026)' takes='3 to 10 minutes'
default_port=${CAIRN_S3_PORT:-9000} port_setting=CAIRN_S3_PORT

build_needs() { need_go; }
build() { go_install "github.com/minio/minio@$version" "$1"; }

prepare() {
  mkdir -p "$home/data"
  credentials
}

# The password is passed in the environment, which only this user can read; command lines are visible to everybody.
# MinIO sends object events to a Kafka topic for the buckets that request them (arn:minio:sqs::CAIRN:kafka). MinIO also
# starts and stores objects without Kafka; events are lost then, which the services tolerate. With a queue folder
# (QUEUE_DIR) no event would be lost, but all events would be sent only every 3 s. The topic is the services' topic,
# with their prefix if they share a Kafka.
start() {
  local kafka_port=${CAIRN_KAFKA_PORT:-9092}
  if [ -s "$engines_dir/kafka/port" ]; then kafka_port=$(<"$engines_dir/kafka/port"); fi
  MINIO_ROOT_USER=$user MINIO_ROOT_PASSWORD=$password MINIO_BROWSER=off MINIO_UPDATE=off \
    MINIO_NOTIFY_KAFKA_ENABLE_CAIRN=on MINIO_NOTIFY_KAFKA_BROKERS_CAIRN=127.0.0.1:$kafka_port \
    MINIO_NOTIFY_KAFKA_TOPIC_CAIRN=${CAIRN_KAFKA_PREFIX:-}cairn.object-events \
    launch "$built/minio" server --address "127.0.0.1:$port" "$home/data"
}

is_ready() { http_ok "$port" /minio/health/ready; }

settings() {
  credentials
  export_setting CAIRN_S3_ENDPOINT "http://127.0.0.1:$port"
  export_setting CAIRN_S3_REGION us-east-1
  export_setting CAIRN_S3_ACCESS_KEY_ID "$user"
  export_setting CAIRN_S3_SECRET_ACCESS_KEY "$password"
  export_setting CAIRN_S3_PATH_STYLE on
  export_setting CAIRN_OBJECT_EVENTS arn:minio:sqs::CAIRN:kafka
}
