{{- define "cairn.need.qdrant" -}}
{{- with .Values.qdrant }}
env:
  CAIRN_QDRANT_URL: {{ .url | quote }}
  CAIRN_QDRANT_PREFIX: {{ .prefix | quote }}
  CAIRN_QDRANT_QUANTIZATION: {{ .quantization | quote }}
secrets:
  CAIRN_QDRANT_API_KEY: qdrant.apiKey
egress:
  qdrant: [{{ .url | quote }}]
{{- end }}
{{- end }}
