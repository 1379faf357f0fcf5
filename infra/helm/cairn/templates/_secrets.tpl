{{/*
The files of /secrets that a need brings along, one a line: file, and either the Secret and key it is in, or the value the chart keeps in a
Secret of its own.
*/}}
{{- define "cairn.secretFiles" -}}
{{- $files := list -}}
{{- $v := .root.Values -}}
{{- if has "kafka" .needs }}
{{- with $v.kafka }}
{{- if .sasl.mechanism }}
{{- $files = append $files (dict "file" "kafka-password" "secret" .sasl.existingSecret "key" .sasl.passwordKey "value" .sasl.password) -}}
{{- end }}
{{- if .tls.enabled }}
{{- $secret := .tls.existingSecret }}
{{- range $file, $key := dict "kafka-ca" .tls.caKey "kafka-cert" .tls.certKey "kafka-key" .tls.keyKey }}
{{- if $key }}{{ $files = append $files (dict "file" $file "secret" $secret "key" $key) }}{{ end -}}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- if has "mongodb" .needs }}
{{- with $v.mongodb }}{{ $files = append $files (dict "file" "mongodb-url" "secret" .existingSecret "key" .urlKey "value" .url) }}{{ end -}}
{{- end }}
{{- if has "qdrant" .needs }}
{{- with $v.qdrant }}{{ $files = append $files (dict "file" "qdrant-api-key" "secret" .existingSecret "key" .apiKeyKey "value" .apiKey) }}{{ end -}}
{{- end }}
{{- if has "s3" .needs }}
{{- with $v.s3 }}
{{- $files = append $files (dict "file" "s3-access-key-id" "secret" .existingSecret "key" .accessKeyIdKey "value" .accessKeyId) -}}
{{- $files = append $files (dict "file" "s3-secret-access-key" "secret" .existingSecret "key" .secretAccessKeyKey "value" .secretAccessKey) -}}
{{- end }}
{{- end }}
{{- if has "embedder" .needs }}
{{- with $v.embedder.openai }}
{{- if .url }}{{ $files = append $files (dict "file" "openai-api-key" "secret" .existingSecret "key" .apiKeyKey "value" .apiKey) }}{{ end -}}
{{- end }}
{{- end }}
{{- if has "answers" .needs }}
{{- with $v.answers }}
{{- if .url }}{{ $files = append $files (dict "file" "answer-api-key" "secret" .existingSecret "key" .apiKeyKey "value" .apiKey) }}{{ end -}}
{{- end }}
{{- end }}
{{- if has "rerank" .needs }}
{{- with $v.rerank }}
{{- if .url }}{{ $files = append $files (dict "file" "rerank-api-key" "secret" .existingSecret "key" .apiKeyKey "value" .apiKey) }}{{ end -}}
{{- end }}
{{- end }}
{{- if has "edgeKey" .needs }}
{{- with $v.edge }}{{ $files = append $files (dict "file" "edge-key" "secret" .existingSecret "key" .keyKey "value" .key) }}{{ end -}}
{{- end }}
{{- if has "keys" .needs }}
{{- with $v.secrets }}
{{- $secret := .existingSecret | default (printf "%s-keys" (include "cairn.fullname" $.root)) }}
{{- range $file, $key := dict "secret" .secretKey "admin-key" .adminKeyKey "api-key" .apiKeyKey }}
{{- if $key }}{{ $files = append $files (dict "file" $file "secret" $secret "key" $key) }}{{ end -}}
{{- end }}
{{- end }}
{{- end }}
{{- range $files }}
{{- if or .secret .value }}
- {{ toJson . }}
{{- end }}
{{- end }}
{{- end }}

{{/* What the values hold of them, as the data of a Secret: dict root, needs. */}}
{{- define "cairn.ownSecrets" -}}
{{- range (include "cairn.secretFiles" . | fromYamlArray) }}
{{- if not .secret }}
{{ .file }}: {{ .value | b64enc }}
{{- end }}
{{- end }}
{{- end }}

{{/* All of them that a service of the chart reads. */}}
{{- define "cairn.engineSecrets" -}}
{{- $needs := list -}}
{{- range include "cairn.services" . | fromYaml }}{{ $needs = concat $needs .needs }}{{ end -}}
{{- include "cairn.ownSecrets" (dict "root" . "needs" (uniq $needs)) -}}
{{- end }}

{{/* The volume of them: dict root, needs, own (the name of the chart's Secret). */}}
{{- define "cairn.secretsVolume" -}}
{{- $files := include "cairn.secretFiles" . | fromYamlArray -}}
{{- if $files }}
- name: secrets
  projected:
    # Readable by the group of the pod (fsGroup) only.
    defaultMode: 0440
    sources:
      {{- range $files }}
      - secret:
          name: {{ .secret | default $.own }}
          items: [{ key: {{ ternary .key .file (not (not .secret)) }}, path: {{ .file }} }]
      {{- end }}
{{- end }}
{{- end }}
