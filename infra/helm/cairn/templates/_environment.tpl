{{/* The variables of one process: dict root, name, needs. Each is one of .env.example; secrets are files that …_FILE names. */}}
{{- define "cairn.env" -}}
{{- $values := .root.Values -}}
{{- $env := dict "CAIRN_LOG_LEVEL" $values.logLevel -}}
{{- if ne .name "setup" }}
{{- $env = merge $env (dict "PORT" (include "cairn.port" .name) "CAIRN_HOST" $values.listenOn) -}}
{{- end }}
{{- range .needs }}
{{- $env = merge $env (include (printf "cairn.env.%s" .) $.root | fromYaml) -}}
{{- end }}
{{- $env = merge $env (include (printf "cairn.env.of.%s" .name) .root | fromYaml) -}}
{{- if $values.trust.existingConfigMap }}{{ $_ := set $env "NODE_EXTRA_CA_CERTS" "/trust/ca.crt" }}{{ end -}}
{{- range $name := keys $env | sortAlpha }}
- name: {{ $name }}
  value: {{ get $env $name | toString | quote }}
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "cairn.port" -}}
{{ if eq . "edge" }}8080{{ else }}3000{{ end }}
{{- end }}

{{- define "cairn.env.kafka" -}}
{{- with .Values.kafka }}
CAIRN_KAFKA_BROKERS: {{ join "," .brokers | quote }}
CAIRN_KAFKA_CLIENT_ID: {{ .clientId | quote }}
{{- if .prefix }}
CAIRN_KAFKA_PREFIX: {{ .prefix | quote }}
{{- end }}
{{- if .sasl.mechanism }}
CAIRN_KAFKA_SASL: {{ .sasl.mechanism }}
CAIRN_KAFKA_USERNAME: {{ .sasl.username | quote }}
CAIRN_KAFKA_PASSWORD_FILE: /secrets/kafka-password
{{- end }}
{{- if .tls.enabled }}
CAIRN_KAFKA_TLS: 'on'
{{- if .tls.caKey }}
CAIRN_KAFKA_TLS_CA_FILE: /secrets/kafka-ca
{{- end }}
{{- if .tls.certKey }}
CAIRN_KAFKA_TLS_CERT_FILE: /secrets/kafka-cert
CAIRN_KAFKA_TLS_KEY_FILE: /secrets/kafka-key
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "cairn.env.mongodb" -}}
CAIRN_MONGODB_URL_FILE: /secrets/mongodb-url
CAIRN_MONGODB_DATABASE: {{ .Values.mongodb.database }}
{{- end }}

{{- define "cairn.env.qdrant" -}}
{{- with .Values.qdrant }}
CAIRN_QDRANT_URL: {{ .url }}
CAIRN_QDRANT_PREFIX: {{ .prefix | quote }}
CAIRN_QDRANT_TIMEOUT_MS: {{ int .timeoutMs | quote }}
CAIRN_QDRANT_QUANTIZATION: {{ .quantization }}
{{- if or .apiKey .existingSecret }}
CAIRN_QDRANT_API_KEY_FILE: /secrets/qdrant-api-key
{{- end }}
{{- end }}
{{- end }}

{{- define "cairn.env.s3" -}}
{{- with .Values.s3 }}
CAIRN_S3_REGION: {{ .region | quote }}
CAIRN_S3_BUCKET: {{ .bucket | quote }}
CAIRN_S3_PREFIX: {{ .prefix | quote }}
CAIRN_S3_PATH_STYLE: {{ ternary "on" "off" .pathStyle | quote }}
CAIRN_S3_CHECKSUMS: {{ .checksums }}
{{- with .endpoint }}
CAIRN_S3_ENDPOINT: {{ . }}
{{- end }}
{{- with .publicEndpoint }}
CAIRN_S3_PUBLIC_ENDPOINT: {{ . }}
{{- end }}
{{- if or .accessKeyId .existingSecret }}
CAIRN_S3_ACCESS_KEY_ID_FILE: /secrets/s3-access-key-id
CAIRN_S3_SECRET_ACCESS_KEY_FILE: /secrets/s3-secret-access-key
{{- end }}
{{- end }}
{{- end }}

{{- define "cairn.env.objectEvents" -}}
CAIRN_OBJECT_EVENTS: {{ .Values.s3.objectEvents | quote }}
{{- end }}

{{- define "cairn.env.embedder" -}}
{{- with .Values.embedder }}
CAIRN_EMBEDDER: {{ .provider }}
CAIRN_EMBEDDER_WORKERS: {{ int .workers | quote }}
CAIRN_LOCAL_MODEL: {{ .localModel }}
{{- with .localModels }}
CAIRN_LOCAL_MODELS: {{ join "," . | quote }}
{{- end }}
CAIRN_CACHE_DIR: /cache
{{- with .formerModelDir }}
CAIRN_FORMER_MODEL_DIR: {{ . | quote }}
{{- end }}
{{- with .mavenUrl }}
CAIRN_MAVEN_URL: {{ . | quote }}
{{- end }}
{{- with .modelDir }}
CAIRN_MODEL_DIR: {{ . | quote }}
{{- end }}
{{- with .openai }}
{{- if .url }}
CAIRN_OPENAI_URL: {{ .url }}
CAIRN_OPENAI_MODEL: {{ .model | quote }}
CAIRN_OPENAI_DIMENSION: {{ int .dimension | quote }}
CAIRN_OPENAI_MAX_TOKENS: {{ int .maxTokens | quote }}
CAIRN_OPENAI_BATCH_SIZE: {{ int .batchSize | quote }}
CAIRN_OPENAI_TIMEOUT_MS: {{ int .timeoutMs | quote }}
{{- if or .apiKey .existingSecret }}
CAIRN_OPENAI_API_KEY_FILE: /secrets/openai-api-key
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "cairn.env.answers" -}}
{{- with .Values.answers }}
{{- if .url }}
CAIRN_ANSWER_URL: {{ .url }}
CAIRN_ANSWER_MODEL: {{ .model | quote }}
CAIRN_ANSWER_TIMEOUT_MS: {{ int .timeoutMs | quote }}
{{- with .models }}
CAIRN_ANSWER_MODELS: {{ . | quote }}
{{- end }}
{{- if or .apiKey .existingSecret }}
CAIRN_ANSWER_API_KEY_FILE: /secrets/answer-api-key
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "cairn.env.rerank" -}}
{{- with .Values.rerank }}
{{- if or .url .modelDir }}
CAIRN_RERANK_TIMEOUT_MS: {{ int .timeoutMs | quote }}
{{- with .model }}
CAIRN_RERANK_MODEL: {{ . | quote }}
{{- end }}
{{- end }}
{{- with .modelDir }}
CAIRN_RERANK_MODEL_DIR: {{ . | quote }}
{{- end }}
{{- if .url }}
CAIRN_RERANK_URL: {{ .url }}
CAIRN_RERANK_FORM: {{ .form }}
{{- if or .apiKey .existingSecret }}
CAIRN_RERANK_API_KEY_FILE: /secrets/rerank-api-key
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "cairn.env.keys" -}}
CAIRN_SECRET_FILE: /secrets/secret
{{- with .Values.secrets }}
{{- if .adminKeyKey }}
CAIRN_ADMIN_KEY_FILE: /secrets/admin-key
{{- end }}
{{- if .apiKeyKey }}
CAIRN_API_KEY_FILE: /secrets/api-key
{{- end }}
{{- end }}
{{- end }}

{{- define "cairn.env.tiers" -}}
{{- if .Values.tiers }}
CAIRN_TIERS_FILE: /config/tiers.json
{{- end }}
{{- end }}

{{- define "cairn.env.edgeKey" -}}
CAIRN_EDGE_KEY_FILE: /secrets/edge-key
{{- end }}

{{- define "cairn.env.of.gateway" -}}
{{- with .Values.gateway }}
CAIRN_CORS_ORIGINS: {{ join "," .corsOrigins | quote }}
CAIRN_MCP: {{ .mcp | quote }}
CAIRN_CONSOLE: {{ ternary "on" "off" .console | quote }}
CAIRN_MIN_TEXT_LENGTH: {{ int .minTextLength | quote }}
CAIRN_LEGACY_CAMEL_CASE: {{ ternary "on" "off" .legacyCamelCase | quote }}
CAIRN_BOOTSTRAP: {{ ternary "on" "off" .bootstrap | quote }}
CAIRN_MAX_CONNECTIONS: {{ int .maxConnections | quote }}
CAIRN_REQUESTS_PER_KEY: {{ int .requestsPerKey | quote }}
CAIRN_BODIES_MB: {{ int .bodiesMb | quote }}
CAIRN_ACCOUNT_BODIES_MB: {{ int .accountBodiesMb | quote }}
{{- end }}
{{- end }}

{{- define "cairn.env.of.namespace" -}}
CAIRN_JOB_RETENTION_DAYS: {{ int .Values.namespace.jobRetentionDays | quote }}
CAIRN_AUDIT_EVERY_MINUTES: {{ int .Values.namespace.auditEveryMinutes | quote }}
{{- end }}

{{/* A small young generation, since whole large files pass through the process. */}}
{{- define "cairn.env.of.ingestion" -}}
CAIRN_INGESTION_CONCURRENCY: {{ int .Values.ingestion.concurrency | quote }}
CAIRN_AUDIT_EVERY_MINUTES: {{ int .Values.namespace.auditEveryMinutes | quote }}
NODE_OPTIONS: --max-semi-space-size=8
{{- end }}

{{- define "cairn.env.of.file-pipeline" -}}
CAIRN_FILE_CONCURRENCY: {{ int .Values.filePipeline.concurrency | quote }}
CAIRN_FILE_MEMORY_MB: {{ int .Values.filePipeline.memoryMb | quote }}
CAIRN_FILE_MINUTES: {{ int .Values.filePipeline.minutes | quote }}
CAIRN_ORPHAN_DAYS: {{ int .Values.filePipeline.orphanDays | quote }}
CAIRN_FAILED_FILE_DAYS: {{ int .Values.filePipeline.failedFileDays | quote }}
CAIRN_OCR_LANGUAGES: {{ join "," .Values.filePipeline.ocrLanguages | quote }}
CAIRN_HIDDEN_TEXT: {{ .Values.filePipeline.hiddenText | quote }}
CAIRN_SCRATCH_DIR: /scratch
NODE_OPTIONS: --max-semi-space-size=8
{{- end }}

{{- define "cairn.env.of.deletion" -}}
CAIRN_DELETION_CONCURRENCY: {{ int .Values.deletion.concurrency | quote }}
{{- end }}

{{- define "cairn.env.of.setup" -}}
CAIRN_KAFKA_PARTITIONS: {{ int .Values.kafka.partitions | quote }}
CAIRN_KAFKA_REPLICATION: {{ int .Values.kafka.replication | quote }}
{{- end }}

{{- define "cairn.env.of.edge" -}}
CAIRN_EDGE_DATA: /data/edge.db
CAIRN_EDGE_MAX_ITEMS: {{ int .Values.edge.maxItems | quote }}
CAIRN_EDGE_MAX_UPLOAD_MB: {{ int .Values.edge.maxUploadMb | quote }}
{{- with .Values.edge.corsOrigins }}
CAIRN_EDGE_CORS_ORIGINS: {{ join "," . | quote }}
{{- end }}
{{- end }}
