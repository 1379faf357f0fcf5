{{- define "cairn.need.kafka" -}}
{{- with .Values.kafka }}
env:
  CAIRN_KAFKA_BROKERS: {{ join "," .brokers | quote }}
  CAIRN_KAFKA_PREFIX: {{ .prefix | quote }}
  CAIRN_KAFKA_PARTITIONS: {{ int .partitions }}
  CAIRN_KAFKA_REPLICATION: {{ int .replication }}
  CAIRN_KAFKA_SASL: {{ .sasl.mechanism | quote }}
  CAIRN_KAFKA_USERNAME: {{ .sasl.username | quote }}
  CAIRN_KAFKA_TLS: {{ ternary "on" "" .tls.enabled | quote }}
secrets:
  CAIRN_KAFKA_PASSWORD: kafka.sasl.password
  CAIRN_KAFKA_TLS_CA: kafka.tls.ca
  CAIRN_KAFKA_TLS_CERT: kafka.tls.cert
  CAIRN_KAFKA_TLS_KEY: kafka.tls.key
egress:
  kafka: [{{ range $i, $broker := .brokers }}{{ if $i }}, {{ end }}{{ printf "kafka://%s" $broker | quote }}{{ end }}]
faults:
{{- with .sasl }}
{{- if .mechanism }}
{{- if not .username }}
  - "kafka.sasl.username: is required with mechanism"
{{- end }}
{{- if not (or .password .existingSecret) }}
  - "kafka.sasl: needs password or existingSecret"
{{- end }}
{{- else if or .username .password .existingSecret }}
  - "kafka.sasl.mechanism: is required with username and password"
{{- end }}
{{- end }}
{{- with .tls }}
{{- $pem := or .caKey .certKey .keyKey }}
{{- if and $pem (not .enabled) }}
  - "kafka.tls: has keys, but is not enabled"
{{- end }}
{{- if and $pem (not .existingSecret) }}
  - "kafka.tls.existingSecret: is required with caKey, certKey, keyKey"
{{- end }}
{{- if ne (empty .certKey) (empty .keyKey) }}
  - "kafka.tls: certKey and keyKey go together"
{{- end }}
{{- end }}
{{- end }}
{{- end }}
