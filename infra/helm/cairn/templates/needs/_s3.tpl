{{- define "cairn.need.s3" -}}
{{- with .Values.s3 }}
env:
  CAIRN_S3_ENDPOINT: {{ .endpoint | quote }}
  CAIRN_S3_PUBLIC_ENDPOINT: {{ .publicEndpoint | quote }}
  CAIRN_S3_REGION: {{ .region | quote }}
  CAIRN_S3_BUCKET: {{ .bucket | quote }}
  CAIRN_S3_PREFIX: {{ .prefix | quote }}
  CAIRN_S3_PATH_STYLE: {{ ternary "on" "off" .pathStyle | quote }}
  CAIRN_S3_CHECKSUMS: {{ .checksums | quote }}
secrets:
  CAIRN_S3_ACCESS_KEY_ID: s3.accessKeyId
  CAIRN_S3_SECRET_ACCESS_KEY: s3.secretAccessKey
egress:
  s3: [{{ .endpoint | default "https://s3" | quote }}]
{{- if ne (empty .accessKeyId) (empty .secretAccessKey) }}
faults: ["s3: accessKeyId and secretAccessKey go together"]
{{- end }}
{{- end }}
{{- end }}

{{- define "cairn.need.objectEvents" -}}
env:
  CAIRN_OBJECT_EVENTS: {{ .Values.s3.objectEvents | quote }}
{{- end }}
