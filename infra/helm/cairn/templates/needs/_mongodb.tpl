{{- define "cairn.need.mongodb" -}}
{{- with .Values.mongodb }}
env:
  CAIRN_MONGODB_DATABASE: {{ .database | quote }}
secrets:
  CAIRN_MONGODB_URL: mongodb.url
egress:
  mongodb: []
{{- if not (or .url .existingSecret) }}
faults: ["mongodb: needs url or existingSecret"]
{{- end }}
{{- end }}
{{- end }}
