{{/*
The variables of one process: dict root, name, needs. All are listed in .env.example; secrets are passed as files by …_FILE variables. Empty values
are left out.
*/}}
{{- define "cairn.env" -}}
{{- $values := .root.Values -}}
{{- $env := dict "CAIRN_LOG_LEVEL" $values.logLevel -}}
{{- if ne .name "setup" }}
{{- $env = merge $env (dict "PORT" (include "cairn.port" .name) "CAIRN_HOST" $values.listenOn) (include (printf "cairn.env.%s" .name) .root | fromYaml) -}}
{{- end }}
{{- range .needs }}
{{- $env = merge $env ((include (printf "cairn.need.%s" .) $.root | fromYaml).env | default dict) -}}
{{- end }}
{{- range (include "cairn.secretFiles" . | fromYamlArray) }}{{ $_ := set $env (printf "%s_FILE" .name) (printf "/secrets/%s" .file) }}{{ end -}}
{{- if $values.trust.existingConfigMap }}{{ $_ := set $env "NODE_EXTRA_CA_CERTS" "/trust/ca.crt" }}{{ end -}}
{{- range $name := keys $env | sortAlpha }}
{{- with get $env $name | toString }}
- name: {{ $name }}
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "cairn.port" -}}
{{ if eq . "edge" }}8080{{ else }}3000{{ end }}
{{- end }}

{{- define "cairn.env.gateway" -}}
{{- with .Values.gateway }}
{{- with .publicUrl }}
CAIRN_PUBLIC_URL: {{ . | quote }}
{{- end }}
CAIRN_CORS_ORIGINS: {{ join "," .corsOrigins | quote }}
CAIRN_MCP: {{ .mcp | quote }}
CAIRN_CONSOLE: {{ ternary "on" "off" .console | quote }}
CAIRN_MIN_TEXT_LENGTH: {{ int .minTextLength | quote }}
CAIRN_LEGACY_CAMEL_CASE: {{ ternary "on" "off" .legacyCamelCase | quote }}
CAIRN_BOOTSTRAP: {{ ternary "on" "off" .bootstrap | quote }}
CAIRN_REQUESTS_PER_KEY: {{ int .requestsPerKey | quote }}
CAIRN_BODIES_MB: {{ int .bodiesMb | quote }}
CAIRN_KEEP_ALIVE_SECONDS: {{ int .keepAliveSeconds | quote }}
{{- end }}
{{- end }}

{{- define "cairn.env.namespace" -}}
CAIRN_JOB_RETENTION_DAYS: {{ int .Values.namespace.jobRetentionDays | quote }}
CAIRN_AUDIT_EVERY_MINUTES: {{ int .Values.namespace.auditEveryMinutes | quote }}
{{- end }}

{{/* A small young generation, because large files are streamed through the process. */}}
{{- define "cairn.env.ingestion" -}}
CAIRN_INGESTION_CONCURRENCY: {{ int .Values.ingestion.concurrency | quote }}
CAIRN_AUDIT_EVERY_MINUTES: {{ int .Values.namespace.auditEveryMinutes | quote }}
NODE_OPTIONS: --max-semi-space-size=8
{{- end }}

{{- define "cairn.env.file-pipeline" -}}
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

{{- define "cairn.env.deletion" -}}
CAIRN_DELETION_CONCURRENCY: {{ int .Values.deletion.concurrency | quote }}
{{- end }}

{{- define "cairn.env.edge" -}}
CAIRN_EDGE_DATA: /data/edge.db
CAIRN_EDGE_MAX_ITEMS: {{ int .Values.edge.maxItems | quote }}
CAIRN_EDGE_MAX_UPLOAD_MB: {{ int .Values.edge.maxUploadMb | quote }}
{{- with .Values.edge.corsOrigins }}
CAIRN_EDGE_CORS_ORIGINS: {{ join "," . | quote }}
{{- end }}
{{- end }}
