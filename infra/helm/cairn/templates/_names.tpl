{{- define "cairn.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride }}{{ .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains $name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* What never changes in the life of a release: a Deployment's selector can't. */}}
{{- define "cairn.selector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "cairn.labels" -}}
{{ include "cairn.selector" . }}
app.kubernetes.io/part-of: cairn
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "cairn.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{- define "cairn.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ default (include "cairn.fullname" .) .Values.serviceAccount.name }}
{{- else }}{{ .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{/* Annotations of the resources that hooks create before all others; the resources are deleted when the job has succeeded. */}}
{{- define "cairn.hook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}

{{/*
Each process with its values and its needs. A need defines variables, secrets, egress rules, and checks of its values (needs/_<engine>.tpl). A
process gets only the needs that are listed here.
*/}}
{{- define "cairn.processes" -}}
gateway: { values: gateway, needs: [kafka, mongodb, qdrant, s3, keys, embedder, answers, rerank, tiers] }
namespace: { values: namespace, needs: [kafka, mongodb, qdrant] }
ingestion: { values: ingestion, needs: [kafka, mongodb, qdrant, embedder] }
file-pipeline: { values: filePipeline, needs: [kafka, mongodb, qdrant, s3, embedder, objectEvents, tiers] }
deletion: { values: deletion, needs: [kafka, mongodb, qdrant, s3] }
setup: { values: setup, needs: [kafka, mongodb, qdrant, s3, objectEvents], job: true }
edge: { values: edge, needs: [answers, edgeKey], alone: true }
{{- end }}

{{/* The long-running processes: those above without the job, and without the edge store unless it is enabled. */}}
{{- define "cairn.services" -}}
{{- $services := omit (include "cairn.processes" . | fromYaml) "setup" -}}
{{- if not .Values.edge.enabled }}{{ $services = omit $services "edge" }}{{ end -}}
{{- toYaml $services -}}
{{- end }}

{{/* The needs of all services. */}}
{{- define "cairn.allNeeds" -}}
{{- $needs := list -}}
{{- range include "cairn.services" . | fromYaml }}{{ $needs = concat $needs .needs }}{{ end -}}
{{- uniq $needs | toYaml -}}
{{- end }}
