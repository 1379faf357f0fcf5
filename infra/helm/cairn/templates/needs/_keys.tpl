{{- define "cairn.need.keys" -}}
{{- with .Values.secrets }}
secrets:
  CAIRN_SECRET: secrets.secret
  CAIRN_ADMIN_KEY: secrets.adminKey
  CAIRN_API_KEY: secrets.apiKey
faults:
{{- if eq (empty .existingSecret) (not .generate) }}
  - "secrets: needs existingSecret, or generate: true (not both)"
{{- end }}
{{- if and .apiKeyKey .generate }}
  - "secrets.apiKeyKey: needs existingSecret; the chart can't make an API key"
{{- end }}
{{- end }}
{{- end }}

{{- define "cairn.need.tiers" -}}
env:
  CAIRN_TIERS_FILE: {{ ternary "" "/config/tiers.json" (empty .Values.tiers) | quote }}
{{- end }}

{{- define "cairn.need.edgeKey" -}}
{{- with .Values.edge }}
secrets:
  CAIRN_EDGE_KEY: edge.key
{{- if eq (empty .key) (empty .existingSecret) }}
faults: ["edge: needs key or existingSecret (one of them)"]
{{- end }}
{{- end }}
{{- end }}
